import { Stream } from 'node:stream';
import { type Answer, bodyBytes, headerName, isJsonType, ok } from '../../../kernel/http/index.ts';
import { bodyReader, headOf } from '../api/handle.ts';
import { errors } from '../errors.ts';
import { JSON_TYPE } from '../family.ts';
import { routeCode } from '../jar.ts';
import { readBatch } from './read.ts';
import { runBatch } from './run.ts';

/** `POST /v1.0/$batch`: up to 20 requests in one. */
export const batch = routeCode([], {
  async handle(call) {
    const { jar, caller, body, signal } = call;
    // The authentication step of the family has set the caller.
    if (!caller) throw errors.InvalidAuthenticationToken({ reason: 'Access token is empty.' });
    const head = headOf(call);
    const bytes = Buffer.isBuffer(body) && body.length > 0 ? body : undefined;
    const items = readBatch(bodyReader(head, bytes)());
    const answers = await runBatch({ jar, caller, head, signal }, items);
    const responses: unknown[] = [];
    for (const [index, answer] of answers.entries()) responses.push({ id: items[index]?.id, ...(await shown(answer)) });
    return ok({ responses });
  },
});

/** JSON is embedded as it is; other content is base64. */
async function shown({ status, headers = {}, body }: Answer) {
  const all: Record<string, string> = {
    ...(body !== undefined && { 'content-type': JSON_TYPE }),
    'cache-control': 'private',
    'odata-version': '4.0',
    ...headers,
  };
  const named = Object.fromEntries(Object.entries(all).map(([name, value]) => [headerName(name), value]));
  if (body === undefined) return { status, headers: named };
  const isBytes = typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Stream;
  const isJson = isJsonType(all['content-type'] ?? '') && !isBytes;
  return { status, headers: named, body: isJson ? body : (await bodyBytes(body)).toString('base64') };
}
