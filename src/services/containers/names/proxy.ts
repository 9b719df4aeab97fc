import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { type HostNames, nodeHttp, originForm } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { type Target, targetOf } from './target.ts';

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

const FAILED = 'a request for the name of a container group could not be passed on';

/** Headers of the answers that are the jar's own and not the group's. */
const GENERATED = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' } as const;

/**
 * Passes requests for the names of container groups on to the ports that their engine has published. The jar's own ports are enough to reach
 * a group by its name, as every name below `localhost` leads to this machine.
 */
export class GroupProxy implements HostNames {
  readonly below: string;
  readonly #jar: Pick<Jar, 'store' | 'log' | 'closing'>;

  constructor(jar: Pick<Jar, 'store' | 'log' | 'closing'>, below: string) {
    this.#jar = jar;
    this.below = below;
  }

  request(request: IncomingMessage, response: ServerResponse, host: string): void {
    const { closing } = this.#jar;
    if (closing.aborted) response.shouldKeepAlive = false;
    this.#find(request, host)
      .then((target) => this.#pass(target, request, response))
      .catch((error) => this.#fail(error, host, response));
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, host: string): void {
    // Until the group is found nobody else listens for what may go wrong with the connection.
    socket.on('error', () => socket.destroy());
    this.#find(request, host)
      .then((target) => this.#tunnel(target, request, socket, head))
      .catch((error) => {
        this.#jar.log.warn({ err: error, host }, FAILED);
        socket.destroy();
      });
  }

  #find(request: IncomingMessage, host: string): Promise<Target> {
    return targetOf(this.#jar.store, host, portAsked(request));
  }

  #pass(target: Target, request: IncomingMessage, response: ServerResponse): void {
    if ('reason' in target) {
      refuse(response, target);
      return;
    }
    const { ip, port, group } = target;
    const upstream: ClientRequest = nodeHttp.request({
      host: ip,
      port,
      method: request.method ?? 'GET',
      path: originForm(request.url ?? '/'),
      headers: passedOn(request.rawHeaders, request.headers.connection),
      setHost: false,
      // A connection of its own: on one that is used again the group may have hung up, and a request cannot always be repeated.
      agent: false,
      // What a browser would read of the group, it is to read through the jar: small servers end lines without a CR.
      insecureHTTPParser: true,
    });
    upstream.on('continue', () => response.writeContinue());
    upstream.on('information', ({ statusCode, rawHeaders }) => {
      if (statusCode === 103) response.writeEarlyHints(passedOn(rawHeaders, undefined) as Record<string, string[]>);
    });
    upstream.on('response', (answer) => {
      response.writeHead(
        answer.statusCode ?? 502,
        answer.statusMessage,
        passedOn(answer.rawHeaders, answer.headers.connection),
      );
      pipeline(answer, response, () => {});
    });
    upstream.on('error', (error) => {
      if (response.headersSent) response.destroy();
      else refuse(response, { status: 502, reason: unanswered(group.name, port, error) });
    });
    response.on('close', () => upstream.destroy());
    pipeline(request, upstream, () => {});
  }

  /** WebSockets and whatever else a client makes of its connection: bytes in both directions. */
  #tunnel(target: Target, request: IncomingMessage, client: Duplex, head: Buffer): void {
    if ('reason' in target) {
      refuseUpgrade(client, target);
      return;
    }
    const { ip, port, group } = target;
    const server: Socket = connect({ host: ip, port });
    server.once('connect', () => {
      server.write(headOf(request));
      if (head.length > 0) server.write(head);
      pipeline(client, server, () => server.destroy());
      pipeline(server, client, () => client.destroy());
    });
    server.once('error', (error) => {
      if (server.connecting || server.bytesRead === 0)
        refuseUpgrade(client, { status: 502, reason: unanswered(group.name, port, error) });
      else client.destroy();
    });
    this.#jar.closing.addEventListener('abort', () => client.destroy(), { once: true });
  }

  #fail(error: unknown, host: string, response: ServerResponse): void {
    this.#jar.log.warn({ err: error, host }, FAILED);
    refuse(response, { status: 503, reason: 'The jar cannot look up the name at the moment; try again.' });
  }
}

const unanswered = (name: string, port: number, error: Error): string =>
  `The container group '${name}' does not answer on its port ${port}: ${error.message}.`;

/** Of a request to a proxy, which names the whole address: `GET http://shop.westus.containers.localhost:8080/`. */
function portAsked({ url = '' }: IncomingMessage): number | undefined {
  const [, secure, port] = /^http(s?):\/\/[^/?#]*?(?::(\d{1,5}))?(?:[/?#]|$)/i.exec(url) ?? [];
  if (secure === undefined) return undefined;
  return port === undefined ? (secure === '' ? 80 : 443) : Number(port);
}

/** In the spelling in which they came; several of one name stay several. */
function passedOn(rawHeaders: readonly string[], connection: string | undefined): OutgoingHttpHeaders {
  const dropped = new Set(connection?.split(',').map((name) => name.trim().toLowerCase()));
  const headers: Record<string, string | string[]> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const value = rawHeaders[i + 1] as string;
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || dropped.has(lower)) continue;
    const before = headers[name];
    headers[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
  }
  return headers;
}

/** The head of an upgrade as it came; its headers about the connection are what it is about. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${originForm(url ?? '/')} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

type Refusal = Extract<Target, { readonly reason: string }>;

function refuse(response: ServerResponse, { status, reason }: Refusal): void {
  if (response.headersSent || response.destroyed) return;
  // The rest of the body is not read, so the connection is not used again.
  response.writeHead(status, { ...GENERATED, connection: 'close' }).end(`${reason}\n`);
}

function refuseUpgrade(socket: Duplex, { status, reason }: Refusal): void {
  const headers = Object.entries({ ...GENERATED, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${nodeHttp.STATUS_CODES[status]}\r\n${headers.join('')}\r\n${reason}\n`);
}
