import type { ServerResponse } from 'node:http';
import { type Readable, Stream } from 'node:stream';
import type { RequestCall } from './call.ts';
import { corsHeaders } from './cors.ts';
import { ApiError } from './errors.ts';
import type { ApiFamily } from './family.ts';
import type { Answer } from './route.ts';
import { endLingering, leavesMuchUnread } from './unread-body.ts';

/** Gives how many bytes the body has; undefined where a stream does not say. */
export function send(
  response: ServerResponse,
  family: ApiFamily,
  call: RequestCall,
  answer: Answer,
): number | undefined {
  const headers = headersOf(family, call, answer);
  const { body, status } = answer;
  if (body instanceof Stream) {
    if (call.method === 'HEAD') {
      (body as Readable).destroy();
      writeHead(response, status, headers).end();
    } else sendStream(response, family, call, body as Readable, status, headers);
    const announced = headers['content-length'];
    return announced === undefined ? undefined : Number(announced);
  }
  if (body === undefined) {
    delete headers['content-type'];
    // RFC 9110, 8.6: what a 304 says of the length is that of the answer it stands for.
    if (status !== 204 && status !== 304) headers['content-length'] = '0';
    end(response, status, headers);
    return 0;
  }
  const payload = payloadOf(body, headers);
  const bytes = Buffer.byteLength(payload);
  headers['content-length'] = String(bytes);
  // Text of one byte a character needs no encoding on its way out.
  const encoding = bytes === payload.length ? 'latin1' : 'utf8';
  end(response, status, headers, call.method === 'HEAD' ? undefined : payload, encoding);
  return bytes;
}

function end(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  payload?: string | Buffer,
  encoding: BufferEncoding = 'latin1',
): void {
  const { req: request } = response;
  if (!leavesMuchUnread(request)) {
    writeHead(response, status, headers).end(payload, encoding);
    return;
  }
  response.shouldKeepAlive = false;
  writeHead(response, status, headers);
  if (payload === undefined) response.flushHeaders();
  else response.write(payload, encoding);
  endLingering(request, response);
}

/** The head goes out with the first byte, so that a stream which fails before can still be answered with an error. */
function sendStream(
  response: ServerResponse,
  family: ApiFamily,
  call: RequestCall,
  body: Readable,
  status: number,
  headers: Record<string, string>,
): void {
  if (leavesMuchUnread(response.req)) response.shouldKeepAlive = false;
  body.once('error', (cause) => {
    body.unpipe(response);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    call.jar.log.error({ err: cause, requestId: call.requestId }, 'the body of an answer could not be read');
    const message = 'An unexpected error happened; the log has its details under the request id.';
    const error = new ApiError(500, family.codes.internal, message, { cause });
    send(response, family, call, family.renderError(error, call));
  });
  response.once('close', () => body.destroy());
  if (response.destroyed) {
    body.destroy();
    return;
  }
  const setHeaders = (clean: (text: string) => string): void => {
    for (const name in headers) response.setHeader(name, clean(headers[name] as string));
  };
  response.statusCode = status;
  try {
    setHeaders((text) => text);
  } catch {
    setHeaders(sendable);
  }
  body.pipe(response);
}

/** Everything that goes in front of the body of an answer. */
export function headersOf(family: ApiFamily, call: RequestCall, answer: Answer): Record<string, string> {
  const headers = Object.assign(family.commonHeaders(call), call.responseHeaders, answer.headers);
  if (family.cors && call.headers.origin !== undefined) Object.assign(headers, corsHeaders(call, Object.keys(headers)));
  return headers;
}

/** A body that is no stream as it goes out; gives a value its content type. */
export function payloadOf(body: unknown, headers: Record<string, string>): string | Buffer {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  headers['content-type'] ??= 'application/json; charset=utf-8';
  return JSON.stringify(body);
}

/** A header that cannot be sent (a name from outside in a challenge) must not leave the client without an answer. */
export function writeHead(response: ServerResponse, status: number, headers: Record<string, string>): ServerResponse {
  // Names and values in turn: the form that Node takes without looking each of them up again.
  const list: string[] = [];
  for (const name in headers) list.push(name, headers[name] as string);
  try {
    return response.writeHead(status, list);
  } catch {
    return response.writeHead(status, list.map(sendable));
  }
}

/** With what no header can hold replaced. */
export const sendable = (text: string): string => text.replace(/[^\t\x20-\x7e]/g, '?');
