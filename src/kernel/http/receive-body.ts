import type { IncomingMessage, ServerResponse } from 'node:http';
import { JSON_BOUNDS } from '../values/parse-json.ts';
import { isJsonType } from './body.ts';
import { ApiError } from './errors.ts';
import type { ApiFamily } from './family.ts';
import type { Route } from './route.ts';

/** RFC 9110, 9.3.1 and 9.3.2: what comes with these has no meaning, and is never read. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** RFC 9110, 8.3.1. */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/** Whether bytes follow the head of a request: RFC 9112, 6.3. */
export function announcesBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether the client sends its body only when it is told to: RFC 9110, 10.1.1. */
export const waitsForContinue = (request: IncomingMessage): boolean =>
  isExpectation(request) && /^100-continue$/i.test(request.headers.expect ?? '');

/** Whether the client expects something that is unknown here. */
export const expectsOtherwise = (request: IncomingMessage): boolean =>
  isExpectation(request) && !waitsForContinue(request);

/** Clients of HTTP/1.0 know neither the header nor the answer to it. */
const isExpectation = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers.expect !== undefined && httpVersion !== '1.0';

/**
 * The body of a request: bytes, or the request itself for routes that take a stream. Called once the steps have admitted the caller, so
 * that nothing of a stranger's body is read. Nothing to wait for where there is no body.
 */
export function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  route: Route,
  family: ApiFamily,
): Promise<Buffer> | IncomingMessage | undefined {
  const { 'content-type': contentType, 'content-length': length } = request.headers;
  if (WITHOUT_BODY.has(request.method ?? '')) return undefined;
  const isAnnounced = announcesBody(request);
  if (!isAnnounced && !(route.accepts === 'stream' && contentType !== undefined)) return undefined;
  if (contentType !== undefined && !MEDIA_TYPE.test(contentType)) {
    throw new ApiError(415, family.codes.unsupportedMediaType, 'The content type cannot be read.');
  }
  const limit = limitOf(route, family, contentType);
  if (Number(length ?? 0) > limit) throw tooLarge(family, limit);
  if (waitsForContinue(request)) response.writeContinue();
  return route.accepts === 'stream' ? request : readBytes(request, family, limit);
}

/** JSON is parsed in one piece, and so has a limit of its own where a family takes large bodies of other kinds. */
function limitOf(route: Route, family: ApiFamily, contentType: string | undefined): number {
  if (route.accepts === 'stream') return Number.POSITIVE_INFINITY;
  const limit = route.bodyLimitBytes ?? family.bodyLimitBytes;
  if (limit <= JSON_BOUNDS.bytes || contentType === undefined || !isJsonType(contentType)) return limit;
  return Math.min(limit, family.json?.bytes ?? JSON_BOUNDS.bytes);
}

function readBytes(request: IncomingMessage, family: ApiFamily, limit: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let length = 0;
  const stop = (): void => {
    request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onError);
  };
  const onData = (chunk: Buffer): void => {
    length += chunk.length;
    if (length <= limit) {
      chunks.push(chunk);
      return;
    }
    stop();
    request.pause();
    reject(tooLarge(family, limit));
  };
  const onEnd = (): void => {
    stop();
    resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length));
  };
  const onError = (): void => {
    stop();
    reject(new ApiError(400, family.codes.malformedJson, 'The client went away before its request was complete.'));
  };
  request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onError);
  return promise;
}

const tooLarge = (family: ApiFamily, limit: number): ApiError =>
  new ApiError(
    413,
    family.codes.bodyTooLarge,
    `The request body is larger than this API takes (${limit} bytes at most).`,
  );
