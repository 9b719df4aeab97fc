import { failureOf, type Reply, replyOf } from '../../../kernel/delivery/index.ts';
import { Calls } from '../../../kernel/outbound/index.ts';
import type { EventsJar } from '../jar.ts';
import type { FunctionConnection } from './connection-strings.ts';
import type { ResourceMessage } from './messages.ts';
import { abandoned } from './replies.ts';
import type { Target } from './targets.ts';

/** Of an answer no more is read than a record keeps many times over. */
const LONGEST_ANSWER_BYTES = 16 * 1024;
/** The signal of a delivery ends it sooner, by the policy. */
const LONGEST_CALL_MS = 600_000;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Where a function host takes events for its functions. */
const HOST_PATH = '/runtime/webhooks/EventGrid';

/** An HTTP request like that to a web hook. */
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

/** The bare address of a function host is asked for the function in the way of such hosts; any other address is meant as it stands. */
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
