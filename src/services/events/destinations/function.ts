import type { Agent } from 'undici';
import { failureOf, replyOf } from '../../../kernel/delivery/outcomes.ts';
import type { Reply } from '../../../kernel/delivery/policy.ts';
import type { FunctionConnection } from './connection-strings.ts';
import { abandoned } from './replies.ts';
import type { ResourceMessage } from './send.ts';
import type { Target } from './targets.ts';

/** Of an answer no more is read than a record keeps many times over. */
const LONGEST_ANSWER_BYTES = 16 * 1024;
const KEEP_ALIVE_MS = 4000;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Where a function host takes events for its functions. */
const HOST_PATH = '/runtime/webhooks/EventGrid';

let agent: Promise<{ request: typeof import('undici').request; dispatcher: Agent }> | undefined;

/** A client of its own: the jar's other one has a guard that a configured address need not pass. */
function client() {
  agent ??= import('undici').then(({ default: undici }) => ({
    request: undici.request,
    dispatcher: new undici.Agent({ keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: 0, bodyTimeout: 0 }),
  }));
  return agent;
}

/** An HTTP request like that to a web hook. */
export async function callFunction(
  { headers, body }: ResourceMessage,
  target: Target,
  connection: FunctionConnection,
  signal: AbortSignal,
): Promise<Reply> {
  try {
    const { request, dispatcher } = await client();
    const response = await request(addressOf(connection, target), {
      method: 'POST',
      headers: { 'content-type': JSON_TYPE, ...headers },
      body,
      dispatcher,
      signal,
    });
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of response.body) {
      parts.push(part);
      size += part.length;
      if (size > LONGEST_ANSWER_BYTES) break;
    }
    const truncated = size > LONGEST_ANSWER_BYTES;
    return replyOf({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts), truncated });
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
