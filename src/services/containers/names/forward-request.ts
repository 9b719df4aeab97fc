import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { nodeHttp, originForm } from '../../../kernel/http/index.ts';
import { refuse, unanswered } from './refusal.ts';
import type { Reachable } from './target.ts';

/** Hop-by-hop headers, which are not forwarded (RFC 9110, 7.6.1). */
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
 * Forwards the request to the group and its answer to the client. The jar survives whatever a program in a container sends: an answer that
 * is not valid HTTP becomes a 502.
 */
export function forwardRequest(
  { ip, port, group }: Reachable,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const upstream: ClientRequest = nodeHttp.request({
    host: ip,
    port,
    method: request.method ?? 'GET',
    path: originForm(request.url ?? '/'),
    headers: { ...forwardedHeaders(request.rawHeaders, request.headers.connection), ...framing(request) },
    setHost: false,
    // A new connection per request: the group may have closed a reused one, and not every request can be repeated.
    agent: false,
    // Accepts what browsers accept: small servers end lines without a CR.
    insecureHTTPParser: true,
  });
  const fail = (what: string): void => {
    upstream.destroy();
    if (response.headersSent) response.destroy();
    else refuse(response, unanswered(group.name, port, what));
  };
  upstream.on('continue', () => response.writeContinue());
  upstream.on('information', ({ statusCode, rawHeaders }) => {
    if (statusCode === 103) earlyHints(response, forwardedHeaders(rawHeaders, undefined));
  });
  upstream.on('response', (answer) => {
    const { statusCode = 502, statusMessage, rawHeaders, headers } = answer;
    try {
      response.writeHead(statusCode, statusMessage, forwardedHeaders(rawHeaders, headers.connection));
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
      return;
    }
    pipeline(answer, response, () => {});
  });
  // The client did not ask for an upgrade here: upgrade requests go through the tunnel.
  upstream.on('upgrade', (_, socket) => {
    socket.destroy();
    fail('it upgraded the connection without a request to do so');
  });
  upstream.on('error', (error) => fail(error.message));
  response.on('close', () => upstream.destroy());
  pipeline(request, upstream, () => {});
}

/** A body of unknown length is forwarded chunked, whatever the method: without framing, its bytes would be parsed as the next request. */
const framing = ({ headers }: IncomingMessage): OutgoingHttpHeaders =>
  headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };

/** Early hints are optional: invalid ones are left out. */
function earlyHints(response: ServerResponse, headers: OutgoingHttpHeaders): void {
  try {
    response.writeEarlyHints(headers as Record<string, string[]>);
  } catch {
    // The final answer still follows.
  }
}

/** Keeps the spelling of names; repeated headers stay repeated. */
function forwardedHeaders(rawHeaders: readonly string[], connection: string | undefined): OutgoingHttpHeaders {
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
