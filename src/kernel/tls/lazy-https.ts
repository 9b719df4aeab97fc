import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server as HttpsServer, type ServerOptions } from 'node:https';
import { Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Logger } from '../telemetry/log.ts';
import type { ServerCredentials } from './authority.ts';

/** Handler for connection upgrades. */
export interface Upgrades {
  /** If false, the request is answered as an ordinary request, as RFC 9110 (7.8) allows; clients also offer HTTP/2 this way. */
  takes(request: IncomingMessage): boolean;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export function takeUpgrades(server: HttpServer, upgrades: Upgrades): void {
  // Node calls this on a server with listeners for upgrades. Its types only have it as an option of the constructor, which is called
  // elsewhere.
  const asked: Pick<ServerOptions, 'shouldUpgradeCallback'> = { shouldUpgradeCallback: (it) => upgrades.takes(it) };
  Object.assign(server, asked);
  server.on('upgrade', (request, socket, head) => upgrades.upgrade(request, socket, head));
}

export interface LazyHttpsOptions {
  loadCredentials(): ServerCredentials | Promise<ServerCredentials>;
  /** For names that the server credentials do not cover; returns the same object for the same name while it is valid. */
  credentialsFor?(name: string): ServerCredentials | undefined;
  /** Also called for requests with an `Expect` header, which Node would otherwise answer itself. */
  onRequest(request: IncomingMessage, response: ServerResponse): void;
  /** Called for input that Node cannot parse as a request; without it, Node answers itself. */
  onUnreadable?(error: Error, socket: Duplex): void;
  readonly webSockets?: Upgrades;
  /** The system time, to renew credentials. */
  readonly wallNow: () => number;
  readonly log: Logger;
  /** Time and size limits, the same as on the plain HTTP server. */
  readonly http?: Pick<
    ServerOptions,
    | 'headersTimeout'
    | 'keepAliveTimeout'
    | 'maxHeaderSize'
    | 'requestTimeout'
    | 'requireHostHeader'
    | 'connectionsCheckingInterval'
  >;
}

/** Connections without any data are closed after this time. */
const FIRST_BYTE_TIMEOUT_MS = 30_000;
/** The first byte of a TLS connection: a handshake record. */
const TLS_HANDSHAKE = 0x16;

const PLAIN_REQUEST_TEXT = 'This port speaks HTTPS. Ask again with https:// in front of the address.\n';
const PLAIN_REQUEST_ANSWER = [
  'HTTP/1.1 400 Bad Request',
  'Connection: close',
  'Content-Type: text/plain; charset=utf-8',
  `Content-Length: ${Buffer.byteLength(PLAIN_REQUEST_TEXT)}`,
  '',
  PLAIN_REQUEST_TEXT,
].join('\r\n');

/** Listens for HTTPS, but loads TLS only when the first client starts a handshake. */
export function lazyHttps(options: LazyHttpsOptions): LazyHttpsServer {
  return new LazyHttpsServer(options);
}

export class LazyHttpsServer extends Server {
  readonly #options: LazyHttpsOptions;
  /** Keyed by the client's address and port, which the socket and the TLS stream on top of it have in common. */
  readonly #sockets = new Map<string, Socket>();
  readonly #requestsInFlight = new Map<string, number>();
  readonly #contexts = new WeakMap<ServerCredentials, SecureContext>();
  #https: Promise<HttpsServer> | undefined;
  #ready: HttpsServer | undefined;
  #renewAt = Number.POSITIVE_INFINITY;
  #closing = false;

  constructor(options: LazyHttpsOptions) {
    super({ noDelay: true });
    this.#options = options;
    this.on('connection', (socket: Socket) => this.#accept(socket));
  }

  /** Stops accepting connections, lets running requests finish, and closes all other connections. */
  override close(callback?: (error?: Error) => void): this {
    this.#closing = true;
    super.close(callback);
    for (const [client, socket] of this.#sockets) {
      if (!this.#requestsInFlight.has(client)) socket.destroy();
    }
    // Stops the timers for slow clients. This server never listened itself, so nothing else has to be closed.
    this.#ready?.close(() => {});
    return this;
  }

  /** Call when the grace period after `close` is over. */
  closeAllConnections(): void {
    for (const socket of this.#sockets.values()) socket.destroy();
  }

  #accept(socket: Socket): void {
    const client = nameClient(socket);
    this.#sockets.set(client, socket);
    socket.once('close', () => this.#sockets.delete(client));
    socket.on('error', (error) => this.#options.log.debug({ err: error }, 'a connection broke'));
    socket.setTimeout(FIRST_BYTE_TIMEOUT_MS, () => socket.destroy());
    socket.once('data', (chunk: Buffer) => {
      socket.pause();
      socket.setTimeout(0);
      socket.removeAllListeners('timeout');
      if (chunk[0] === TLS_HANDSHAKE) {
        socket.unshift(chunk);
        void this.#secure(socket);
      } else {
        this.#refusePlain(socket, chunk);
      }
    });
  }

  /** A plain HTTP request gets a readable answer; for other protocols the connection is closed. */
  #refusePlain(socket: Socket, chunk: Buffer): void {
    if (/^[A-Z]{3,10} /.test(chunk.toString('latin1', 0, 16))) {
      socket.end(PLAIN_REQUEST_ANSWER, () => socket.destroySoon());
      // Remaining input must be read; otherwise closing causes a reset that discards the answer.
      socket.resume();
    } else {
      socket.destroy();
    }
  }

  async #secure(socket: Socket): Promise<void> {
    try {
      const https = await this.#getHttps();
      if (socket.destroyed) return;
      if (this.#closing) {
        socket.destroy();
        return;
      }
      https.emit('connection', socket);
    } catch (error) {
      this.#options.log.error({ err: error }, 'the HTTPS certificate cannot be loaded');
      socket.destroy();
    }
  }

  async #getHttps(): Promise<HttpsServer> {
    if (this.#ready && this.#options.wallNow() >= this.#renewAt) {
      const { key, cert, renewAt } = await this.#options.loadCredentials();
      this.#ready.setSecureContext({ key, cert });
      this.#renewAt = renewAt;
    }
    this.#https ??= this.#createHttps().catch((error) => {
      this.#https = undefined;
      throw error;
    });
    return this.#https;
  }

  async #createHttps(): Promise<HttpsServer> {
    const { loadCredentials, onUnreadable, webSockets, http, log } = this.#options;
    const { key, cert, renewAt } = await loadCredentials();
    const SNICallback: ServerOptions['SNICallback'] = (name, done) => done(null, this.#contextFor(name));
    const https = createServer({ ...http, key, cert, SNICallback, ALPNProtocols: ['http/1.1'] }, this.#handle);
    if (onUnreadable) https.on('clientError', onUnreadable);
    https.on('checkContinue', this.#handle).on('checkExpectation', this.#handle);
    https.on('tlsClientError', (error) => log.debug({ err: error }, 'a TLS handshake failed'));
    if (webSockets) this.#takeUpgrades(https, webSockets);
    // Starts the timers for slow and idle clients, which normally start with listening.
    https.emit('listening');
    this.#renewAt = renewAt;
    this.#ready = https;
    return https;
  }

  /** `undefined` selects the default context; a client that does not accept its certificate reports that. */
  #contextFor(name: string): SecureContext | undefined {
    const { credentialsFor, log } = this.#options;
    try {
      const credentials = credentialsFor?.(name);
      if (!credentials) return undefined;
      let context = this.#contexts.get(credentials);
      if (!context) {
        const { key, cert } = credentials;
        context = createSecureContext({ key, cert });
        this.#contexts.set(credentials, context);
      }
      return context;
    } catch (error) {
      log.error({ err: error }, 'a certificate for a name could not be made');
      return undefined;
    }
  }

  /** A WebSocket is notified of the shutdown before its connection is closed, so it counts as a running request. */
  #takeUpgrades(https: HttpsServer, webSockets: Upgrades): void {
    takeUpgrades(https, {
      takes: (request) => webSockets.takes(request),
      upgrade: (request, socket, head) => {
        const end = this.#begin(nameClient(request.socket));
        socket.once('close', () => end());
        webSockets.upgrade(request, socket, head);
      },
    });
  }

  /** Counts a running request of a client. Returns a function to call at its end, which returns the number of remaining requests. */
  #begin(client: string): () => number {
    this.#requestsInFlight.set(client, (this.#requestsInFlight.get(client) ?? 0) + 1);
    return () => {
      const remaining = (this.#requestsInFlight.get(client) ?? 1) - 1;
      if (remaining > 0) this.#requestsInFlight.set(client, remaining);
      else this.#requestsInFlight.delete(client);
      return remaining;
    };
  }

  readonly #handle = (request: IncomingMessage, response: ServerResponse): void => {
    const end = this.#begin(nameClient(request.socket));
    response.once('close', () => {
      if (end() <= 0 && this.#closing) request.socket.destroySoon();
    });
    if (this.#closing) response.shouldKeepAlive = false;
    this.#options.onRequest(request, response);
  };
}

function nameClient({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
