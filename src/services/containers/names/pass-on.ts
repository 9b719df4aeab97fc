import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { nodeHttp, originForm } from '../../../kernel/http/index.ts';
import { refuse, unanswered } from './refusal.ts';
import type { Reachable } from './target.ts';

/** About one connection only, and so not passed on (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Asks the group what the client has asked, and answers what it answers. Whatever a program in a container sends, the jar goes on: what
 * cannot be written as an answer of HTTP is 502.
 */
export function passOn({ ip, port, group }: Reachable, request: IncomingMessage, response: ServerResponse): void {
  const upstream: ClientRequest = nodeHttp.request({
    host: ip,
    port,
    method: request.method ?? 'GET',
    path: originForm(request.url ?? '/'),
    headers: { ...passedOn(request.rawHeaders, request.headers.connection), ...framing(request) },
    setHost: false,
    // A connection of its own: on one that is used again the group may have hung up, and a request cannot always be repeated.
    agent: false,
    // What a browser would read of the group, it is to read through the jar: small servers end lines without a CR.
    insecureHTTPParser: true,
  });
  const fail = (what: string): void => {
    upstream.destroy();
    if (response.headersSent) response.destroy();
    else refuse(response, unanswered(group.name, port, what));
  };
  upstream.on('continue', () => response.writeContinue());
  upstream.on('information', ({ statusCode, rawHeaders }) => {
    if (statusCode === 103) earlyHints(response, passedOn(rawHeaders, undefined));
  });
  upstream.on('response', (answer) => {
    const { statusCode = 502, statusMessage, rawHeaders, headers } = answer;
    try {
      response.writeHead(statusCode, statusMessage, passedOn(rawHeaders, headers.connection));
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
      return;
    }
    pipeline(answer, response, () => {});
  });
  // Nobody has asked for another protocol: such requests become a tunnel.
  upstream.on('upgrade', (_, socket) => {
    socket.destroy();
    fail('it changed the protocol without being asked to');
  });
  upstream.on('error', (error) => fail(error.message));
  response.on('close', () => upstream.destroy());
  pipeline(request, upstream, () => {});
}

/** A body of unknown length stays one, whatever the method: without a frame its bytes would be taken for the next request. */
const framing = ({ headers }: IncomingMessage): OutgoingHttpHeaders =>
  headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };

/** They are hints: those that cannot be written are left out. */
function earlyHints(response: ServerResponse, headers: OutgoingHttpHeaders): void {
  try {
    response.writeEarlyHints(headers as Record<string, string[]>);
  } catch {
    // The answer itself is still to come.
  }
}

/** In the spelling in which they came; several of one name stay several. */
function passedOn(rawHeaders: readonly string[], connection: string | undefined): OutgoingHttpHeaders {
  const dropped = new Set(connection?.split(',').map((name) => name.trim().toLowerCase()));
  const headers = new Map<string, string[]>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || dropped.has(lower)) continue;
    const values = headers.get(name) ?? [];
    values.push(rawHeaders[i + 1] as string);
    headers.set(name, values);
  }
  return Object.fromEntries([...headers].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}
