import type { ServerResponse } from 'node:http';
import { type Readable, Stream } from 'node:stream';
import type { RequestCall } from './call.ts';
import { corsHeaders } from './cors.ts';
import { ApiError } from './errors.ts';
import type { ApiFamily } from './family.ts';
import type { Answer } from './route.ts';
import { endLingering, leavesMuchUnread } from './unread-body.ts';

/** A response as sent, without the headers that Node adds. */
export interface SentAnswer {
  readonly headers: Readonly<Record<string, string>>;
  /** Absent if there is none, or if it is a stream. */
  readonly payload?: string | Buffer;
  /** Size of the body; undefined if a stream does not announce it, or if a fault rule cuts it. */
  readonly bytes: number | undefined;
}

export function send(response: ServerResponse, family: ApiFamily, call: RequestCall, answer: Answer): SentAnswer {
  const headers = headersOf(family, call, answer);
  const { body, status } = answer;
  if (body instanceof Stream) {
    if (call.method === 'HEAD') {
      (body as Readable).destroy();
      writeHead(response, status, headers).end();
    } else sendStream(response, family, call, body as Readable, status, headers);
    const announced = headers['content-length'];
    return { headers, bytes: announced === undefined ? undefined : Number(announced) };
  }
  if (body === undefined) {
    delete headers['content-type'];
    // RFC 9110, 8.6: the length in a 304 is that of the full response, so none is sent.
    if (status !== 204 && status !== 304) headers['content-length'] = '0';
    end(response, status, headers);
    return { headers, bytes: 0 };
  }
  const payload = payloadOf(body, headers);
  const bytes = Buffer.byteLength(payload);
  headers['content-length'] = String(bytes);
  // Text with one byte per character needs no encoding.
  const encoding = bytes === payload.length ? 'latin1' : 'utf8';
  if (call.method === 'HEAD') {
    end(response, status, headers);
    return { headers, bytes };
  }
  end(response, status, headers, payload, encoding);
  return { headers, payload, bytes };
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

/** The head is sent with the first byte, so that a stream that fails earlier can still be answered with an error. */
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
    call.jar.log.error({ err: cause, requestId: call.requestId }, 'the body of a response could not be read');
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

/** All headers of a response. */
export function headersOf(family: ApiFamily, call: RequestCall, answer: Answer): Record<string, string> {
  const headers = Object.assign(family.commonHeaders(call), call.responseHeaders, answer.headers);
  if (family.cors && call.headers.origin !== undefined) Object.assign(headers, corsHeaders(call, Object.keys(headers)));
  return headers;
}

/** A non-stream body as sent; sets the content type of JSON values. */
export function payloadOf(body: unknown, headers: Record<string, string>): string | Buffer {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  headers['content-type'] ??= 'application/json; charset=utf-8';
  return JSON.stringify(body);
}

/** Replaces invalid characters in headers (for example a client's text in a challenge), so that the client still gets a response. */
export function writeHead(response: ServerResponse, status: number, headers: Record<string, string>): ServerResponse {
  // Alternating names and values: Node uses this form without looking up each name again.
  const list: string[] = [];
  for (const name in headers) list.push(name, headers[name] as string);
  try {
    return response.writeHead(status, list);
  } catch {
    return response.writeHead(status, list.map(sendable));
  }
}

/** Replaces characters that are not allowed in headers. */
export const sendable = (text: string): string => text.replace(/[^\t\x20-\x7e]/g, '?');
