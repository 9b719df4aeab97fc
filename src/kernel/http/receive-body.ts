import type { IncomingMessage, ServerResponse } from 'node:http';
import { JSON_BOUNDS } from '../values/parse-json.ts';
import { isJsonType } from './body.ts';
import { ApiError } from './errors.ts';
import type { ApiFamily } from './family.ts';
import { GrowingBytes } from './growing-bytes.ts';
import { LARGE_BODY_BYTES, type Lease, type MemoryBudget } from './memory-budget.ts';
import type { Route } from './route.ts';

/** RFC 9110, 9.3.1 and 9.3.2: bodies of these methods have no meaning and are never read. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Syntax of a media type: RFC 9110, 8.3.1. */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/** Whether a body follows the head of a request: RFC 9112, 6.3. */
export function announcesBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether the client waits for `100 Continue` before it sends its body: RFC 9110, 10.1.1. */
export const waitsForContinue = (request: IncomingMessage): boolean =>
  isExpectation(request) && /^100-continue$/i.test(request.headers.expect ?? '');

/** Whether the client sends an unknown expectation. */
export const expectsOtherwise = (request: IncomingMessage): boolean =>
  isExpectation(request) && !waitsForContinue(request);

/** HTTP/1.0 has neither the header nor the response to it. */
const isExpectation = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers.expect !== undefined && httpVersion !== '1.0';

/**
 * Receives the body of a request: as bytes, or as the request itself for routes that take a stream. Called after the steps have admitted
 * the caller, so that bodies of rejected callers are never read. Returns undefined synchronously if there is no body.
 */
export function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  route: Route,
  family: ApiFamily,
  memory: MemoryBudget,
): Promise<Buffer> | IncomingMessage | undefined {
  const { 'content-type': contentType, 'content-length': length } = request.headers;
  if (WITHOUT_BODY.has(request.method ?? '')) return undefined;
  const isAnnounced = announcesBody(request);
  if (!isAnnounced && !(route.accepts === 'stream' && contentType !== undefined)) return undefined;
  // A destroyed request emits no further events, not even its end.
  if (request.destroyed) throw clientLeft(family);
  if (contentType !== undefined && !MEDIA_TYPE.test(contentType)) {
    throw new ApiError(415, family.codes.unsupportedMediaType, 'The content type is malformed.');
  }
  const limit = limitOf(route, family, contentType);
  const expected = Number(length ?? 0);
  if (expected > limit) throw tooLarge(family, limit);
  if (route.accepts === 'stream') {
    const ended = memory.stream();
    if (!ended) throw busy(family);
    response.once('close', ended);
    if (waitsForContinue(request)) response.writeContinue();
    return request;
  }
  // Reserved before the first megabyte arrives, so that a client that waits for `100 Continue` is rejected before it sends.
  const lease = expected > memory.countsAbove ? leaseFor(expected, response, family, memory) : undefined;
  if (waitsForContinue(request)) response.writeContinue();
  return readBytes(request, response, family, { limit, expected, memory, lease });
}

/** Released when the response closes, because the handler uses the body until then. */
function leaseFor(bytes: number, response: ServerResponse, family: ApiFamily, memory: MemoryBudget): Lease {
  const lease = memory.lease(bytes);
  if (!lease) throw busy(family);
  response.once('close', lease.release);
  return lease;
}

const busy = (family: ApiFamily): ApiError =>
  new ApiError(503, family.codes.unavailable, 'Too many large request bodies are being read; try again in a second.', {
    headers: { 'retry-after': '1' },
  });

/** JSON is parsed in one piece, so it has its own limit even if the family accepts larger bodies of other types. */
function limitOf(route: Route, family: ApiFamily, contentType: string | undefined): number {
  if (route.accepts === 'stream') return Number.POSITIVE_INFINITY;
  const limit = route.bodyLimitBytes ?? family.bodyLimitBytes;
  if (limit <= JSON_BOUNDS.bytes || contentType === undefined || !isJsonType(contentType)) return limit;
  return Math.min(limit, family.json?.bytes ?? JSON_BOUNDS.bytes);
}

interface Reading {
  readonly limit: number;
  /** From `Content-Length`; 0 if unknown. */
  readonly expected: number;
  readonly memory: MemoryBudget;
  readonly lease: Lease | undefined;
}

function readBytes(
  request: IncomingMessage,
  response: ServerResponse,
  family: ApiFamily,
  { limit, expected, memory, lease: given }: Reading,
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  // Allocated in one piece, because concatenating pieces would need as much memory again. Memory that is never written costs nothing.
  const whole = expected > LARGE_BODY_BYTES ? Buffer.allocUnsafeSlow(expected) : undefined;
  const pieces = new GrowingBytes();
  let lease = given;
  let length = 0;
  const stop = (): void => {
    request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onError);
  };
  /** Counts received bytes; returns the error if no more are accepted. */
  const count = (bytes: number): ApiError | undefined => {
    length += bytes;
    if (length > limit) return tooLarge(family, limit);
    if (length <= memory.countsAbove && !lease) return undefined;
    if (lease) return lease.grow(bytes) ? undefined : busy(family);
    // The size was not announced, so the lease is taken late.
    lease = memory.lease(length);
    if (!lease?.grow(length)) return busy(family);
    response.once('close', lease.release);
    return undefined;
  };
  const onData = (chunk: Buffer): void => {
    const refusal = count(chunk.length);
    if (refusal) {
      stop();
      request.pause();
      reject(refusal);
    } else if (whole) chunk.copy(whole, length - chunk.length);
    else pieces.add(chunk);
  };
  const onEnd = (): void => {
    stop();
    resolve(whole ?? pieces.whole());
  };
  const onError = (): void => {
    stop();
    reject(clientLeft(family));
  };
  request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onError);
  return promise;
}

const clientLeft = (family: ApiFamily): ApiError =>
  new ApiError(400, family.codes.malformedJson, 'The client disconnected before its request was complete.');

const tooLarge = (family: ApiFamily, limit: number): ApiError =>
  new ApiError(
    413,
    family.codes.bodyTooLarge,
    `The request body is larger than the limit of this API (${limit} bytes).`,
  );
