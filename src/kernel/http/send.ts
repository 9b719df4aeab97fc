import type { ServerResponse } from 'node:http';
import { type Readable, Stream } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { RequestCall } from './call.ts';
import { corsHeaders } from './cors.ts';
import type { ApiFamily } from './family.ts';
import type { Answer } from './route.ts';

export function send(reply: FastifyReply, family: ApiFamily, call: RequestCall, answer: Answer): void {
  const headers = headersOf(family, call, answer);
  const { body, status } = answer;
  if (body instanceof Stream && call.method !== 'HEAD') {
    reply.code(status).headers(headers).send(body);
    return;
  }
  // Straight to the response: the headers are complete, and Fastify's way to it would look at each of them again.
  reply.hijack();
  if (body instanceof Stream) {
    (body as Readable).destroy();
    writeHead(reply, status, headers).end();
    return;
  }
  if (body === undefined) {
    delete headers['content-type'];
    // RFC 9110, 8.6: what a 304 says of the length is that of the answer it stands for.
    if (status !== 204 && status !== 304) headers['content-length'] = '0';
    writeHead(reply, status, headers).end();
    return;
  }
  const payload = payloadOf(body, headers);
  const bytes = Buffer.byteLength(payload);
  headers['content-length'] = String(bytes);
  // Text of one byte a character needs no encoding on its way out.
  const encoding = bytes === payload.length ? 'latin1' : 'utf8';
  writeHead(reply, status, headers).end(call.method === 'HEAD' ? undefined : payload, encoding);
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
export function writeHead(reply: FastifyReply, status: number, headers: Record<string, string>): ServerResponse {
  // Names and values in turn: the form that Node takes without looking each of them up again.
  const list: string[] = [];
  for (const name in headers) list.push(name, headers[name] as string);
  try {
    return reply.raw.writeHead(status, list);
  } catch {
    return reply.raw.writeHead(
      status,
      list.map((text) => text.replace(/[^\t\x20-\x7e]/g, '?')),
    );
  }
}
