import { failureOf, type Reply, replyOf } from '../../../kernel/delivery/index.ts';
import { Calls } from '../../../kernel/outbound/index.ts';
import type { EventsJar } from '../jar.ts';
import type { FunctionConnection } from './connection-strings.ts';
import type { ResourceMessage } from './messages.ts';
import { abandoned } from './replies.ts';
import type { Target } from './targets.ts';

/** Reads far more of an answer than a delivery record keeps. */
const LONGEST_ANSWER_BYTES = 16 * 1024;
/** Upper bound only: the delivery's signal ends the call sooner, by the policy's timeout. */
const LONGEST_CALL_MS = 600_000;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Path at which a function host accepts events for its functions. */
const HOST_PATH = '/runtime/webhooks/EventGrid';

/** Calls a function by an HTTP request like that to a web hook. */
export async function callFunction(
  { headers, body }: ResourceMessage,
  target: Target,
  connection: FunctionConnection,
  jar: Pick<EventsJar, 'outbound'>,
  signal: AbortSignal,
): Promise<Reply> {
  const url = addressOf(connection, target);
  const request = { url, headers: { 'content-type': JSON_TYPE, ...headers }, body, trusted: true };
  const limits = { maxBodyBytes: LONGEST_ANSWER_BYTES, timeoutMs: LONGEST_CALL_MS };
  try {
    return await Calls.during(signal, async (calls) =>
      replyOf(await jar.outbound.send({ ...request, ...limits, calls })),
    );
  } catch (error) {
    return signal.aborted ? abandoned() : failureOf(error);
  }
}

/** For the bare address of a function host, the host's path and the function's name are added; any other address is used unchanged. */
export function addressOf(
  { url: given }: FunctionConnection,
  { name, entityId }: Pick<Target, 'name' | 'entityId'>,
): string {
  const url = new URL(given);
  if (url.pathname !== '/' || url.search !== '' || !/\/functions\/[^/]+$/i.test(entityId)) return url.href;
  url.pathname = HOST_PATH;
  url.searchParams.set('functionName', name);
  return url.href;
}
