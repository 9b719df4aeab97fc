import type { Duplex } from 'node:stream';
import { after } from '../time/timers.ts';
import { originForm, RequestCall } from './call.ts';
import type { ApiError } from './errors.ts';
import { nodeHttp } from './node-http.ts';
import type { Owner } from './owner.ts';
import { ADDRESS_TOO_LONG, HEAD_TOO_LARGE, LONG_ADDRESS_BYTES, MOST_HEAD_BYTES, refusal } from './request-head.ts';
import type { Answer, Method, Route } from './route.ts';
import type { Router } from './router.ts';
import { headersOf, payloadOf, sendable } from './send.ts';

/** Node's error for a request that could not be parsed. */
export interface ParserError extends Error {
  readonly code?: string;
  /** The last packet, if it is the one that could not be parsed. */
  readonly rawPacket?: Buffer;
}

/** How long a client may read the response before its connection is closed, even if it is still sending. */
const LINGER_MS = 1_000;

const OVERFLOW = 'HPE_HEADER_OVERFLOW';
const NOT_VERSION_1 = [505, 'Only HTTP/1.0 and HTTP/1.1 are supported.'] as const;

/** By Node's error code. */
const STATUSES: Readonly<Record<string, readonly [status: number, message: string]>> = {
  [OVERFLOW]: HEAD_TOO_LARGE,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The extensions of the chunks of the request body are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  HPE_INVALID_VERSION: NOT_VERSION_1,
  HPE_PAUSED_H2_UPGRADE: NOT_VERSION_1,
  HPE_INVALID_METHOD: [400, 'The method of the request is not known.'],
  HPE_INVALID_URL: [400, 'The URL of the request is not valid.'],
};
const NOT_HTTP = [400, 'The request is not valid HTTP.'] as const;

/** `PUT /path HTTP/1.1`; the end may be missing if the line is too long. */
const REQUEST_LINE = /^([A-Z-]{1,30}) (\S+)/;

export interface RefusalOptions {
  readonly router: Router<Owner>;
  readonly fallback: Owner;
  /** Route of calls without a route. */
  readonly unmatched: Route;
  readonly finished: (call: RequestCall, owner: Owner, answer: Answer, error: ApiError) => void;
}

/**
 * Responds to a request that Node could not parse, in the format of the intended API as far as it is known, and closes the connection.
 * There is no request or response object, so the response is written to the socket directly.
 */
export function refuseUnreadable(error: ParserError, socket: Duplex, options: RefusalOptions): void {
  // Node reports every further packet after the first error.
  if (!socket.writable) return;
  // A response has begun already, or the client has disconnected.
  if (error.code === 'ECONNRESET' || hasBegunAnswer(socket)) {
    socket.destroy();
    return;
  }
  const { router, fallback, unmatched, finished } = options;
  const line = requestLineOf(error);
  const found = REQUEST_LINE.exec(line);
  const [, method = 'GET', url = '/'] = found ?? [];
  const [path = '/'] = originForm(url).split('?', 1);
  const owner = (found && router.match(method as Method, path).owner) || fallback;
  const { family } = owner;
  const request = new nodeHttp.IncomingMessage(socket as ConstructorParameters<typeof nodeHttp.IncomingMessage>[0]);
  Object.assign(request, { method, url });
  const call = new RequestCall(owner.jar, request, new nodeHttp.ServerResponse(request), unmatched, {});
  const refused = refusal(statusOf(error, line), family);
  const answer = family.renderError(refused, call);
  finished(call, owner, answer, refused);
  const headers = headersOf(family, call, answer);
  const payload = answer.body === undefined ? '' : payloadOf(answer.body, headers);
  const head = {
    ...headers,
    date: new Date(call.receivedAt).toUTCString(),
    'content-length': String(Buffer.byteLength(payload)),
    connection: 'close',
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${sendable(value)}`);
  socket.write(
    `HTTP/1.1 ${answer.status} ${nodeHttp.STATUS_CODES[answer.status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n`,
  );
  socket.end(payload);
  const cancel = after(LINGER_MS, () => socket.destroy());
  socket.once('close', cancel);
}

/** Node stores the response to the request in progress only here. */
function hasBegunAnswer(socket: Duplex): boolean {
  const answer: unknown = Reflect.get(socket, '_httpMessage');
  return answer instanceof nodeHttp.ServerResponse && answer.headersSent;
}

function requestLineOf({ rawPacket }: ParserError): string {
  if (!rawPacket) return '';
  const end = rawPacket.indexOf('\n');
  return rawPacket.toString('latin1', 0, end < 0 ? MOST_HEAD_BYTES : Math.min(end, MOST_HEAD_BYTES));
}

function statusOf({ code = '' }: ParserError, line: string): readonly [number, string] {
  if (code === OVERFLOW && REQUEST_LINE.test(line) && line.length >= LONG_ADDRESS_BYTES) return ADDRESS_TOO_LONG;
  return STATUSES[code] ?? NOT_HTTP;
}
