import type { IncomingMessage } from 'node:http';
import { codeOf } from './code-of.ts';
import { ApiError } from './errors.ts';
import type { ApiFamily } from './family.ts';

/** Limit of the request line and all headers together. */
export const MOST_HEAD_BYTES = 16 * 1024;
/** Limit of Node's parser. Higher, because only a fully parsed head shows which part is too long. */
export const MOST_READ_HEAD_BYTES = 4 * MOST_HEAD_BYTES;
/** If the head is too large and the URL has at least this size, the error names the URL. */
export const LONG_ADDRESS_BYTES = MOST_HEAD_BYTES / 2;

type Refusal = readonly [status: number, message: string];

export const HEAD_TOO_LARGE: Refusal = [431, `The headers of the request are larger than ${MOST_HEAD_BYTES} bytes.`];
export const ADDRESS_TOO_LONG: Refusal = [
  414,
  `The URL of the request is too long: its head is larger than ${MOST_HEAD_BYTES} bytes.`,
];
/** RFC 9112, 3.2. Node keeps the first of several `Host` headers, but a proxy may have used the last. */
const WRONG_HOSTS: Refusal = [400, "An HTTP/1.1 request must have exactly one 'Host' header."];

/** Checks the head of a parsed request; returns undefined if it is valid. */
export function refusalOfHead(request: IncomingMessage, family: ApiFamily): ApiError | undefined {
  const { rawHeaders, url = '', httpVersion } = request;
  let bytes = url.length;
  let hosts = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n] ?? '';
    bytes += name.length + (rawHeaders[n + 1]?.length ?? 0);
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (bytes > MOST_HEAD_BYTES)
    return refusal(url.length >= LONG_ADDRESS_BYTES ? ADDRESS_TOO_LONG : HEAD_TOO_LARGE, family);
  return hosts > 1 || (hosts === 0 && httpVersion !== '1.0') ? refusal(WRONG_HOSTS, family) : undefined;
}

export function refusal([status, message]: Refusal, family: ApiFamily): ApiError {
  const code = status === 400 ? family.codes.invalidQuery : codeOf(family, status);
  return new ApiError(status, code, message, { headers: { connection: 'close' } });
}
