import type { Caller } from '../../../kernel/auth/index.ts';
import { type Answer, isJsonType, parseQuery } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { failedAnswer } from '../api/handle.ts';
import type { RequestHead } from '../api/request.ts';
import { errors } from '../errors.ts';
import type { MailJar } from '../jar.ts';
import { dispatch } from './dispatch.ts';
import type { BatchItem } from './read.ts';

/** The batch that a request belongs to. */
export interface BatchContext {
  readonly jar: MailJar;
  readonly caller: Caller;
  readonly head: Pick<RequestHead, 'version' | 'origin' | 'headers'>;
  readonly signal: AbortSignal;
}

/** Answers one request as if it had been sent alone by the caller of the batch. Never throws. */
export async function answerItem(context: BatchContext, item: BatchItem): Promise<Answer> {
  const { jar, caller, signal } = context;
  const head = headOf(context, item);
  try {
    checkAddress(item.url, head.path);
    return await dispatch(jar, caller, head, bytesOf(item), signal);
  } catch (error) {
    return failedAnswer(jar, error, head);
  }
}

function headOf({ jar, head: batch }: BatchContext, { method, url, headers }: BatchItem): RequestHead {
  const [path = '', ...behind] = url.replace(/#.*$/s, '').replace(/^\/+/, '').split('?');
  const search = behind.join('?');
  const clientRequestId = batch.headers['client-request-id'];
  return {
    method,
    version: batch.version,
    origin: batch.origin,
    path: path.replace(/(?<!\/)\/+$/, ''),
    query: parseQuery(search),
    search,
    headers: { ...(clientRequestId !== undefined && { 'client-request-id': clientRequestId }), ...headers },
    requestId: uuid(),
    receivedAt: jar.clock.now(),
  };
}

const NESTED = /^(?:\$|%24)batch(?:\/|$)/i;

function checkAddress(url: string, path: string): void {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url) || url.startsWith('//'))
    throw errors.BadRequest(
      { reason: `'${url.slice(0, 200)}' is not relative; the URLs of a batch begin after the version.` },
      { target: 'url' },
    );
  if (NESTED.test(path))
    throw errors.BadRequest({ reason: 'A batch cannot contain another batch.' }, { target: 'url' });
}

const BASE64 = /^[A-Za-z0-9+/\-_]*={0,2}$/;

/** JSON is a value in the batch, text is a string, other content is base64. */
function bytesOf({ body, headers, method }: BatchItem): Buffer | undefined {
  if (body === undefined || method === 'GET') return undefined;
  const type = headers['content-type'];
  if (type === undefined)
    throw errors.BadRequest(
      { reason: "A request with a body needs the header 'Content-Type'." },
      { target: 'headers/Content-Type' },
    );
  if (isJsonType(type)) return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  if (typeof body !== 'string')
    throw errors.BadRequest(
      { reason: `A body of the type '${type.slice(0, 100)}' must be a string.` },
      { target: 'body' },
    );
  if (/^text\//i.test(type)) return Buffer.from(body);
  const encoded = body.replace(/\s+/g, '');
  if (!BASE64.test(encoded))
    throw errors.BadRequest(
      { reason: `A body of the type '${type.slice(0, 100)}' must be a base64 string.` },
      { target: 'body' },
    );
  return Buffer.from(encoded, 'base64');
}
