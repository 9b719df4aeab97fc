import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Config } from '../kernel/config/config.ts';
import { listenError } from '../kernel/config/listen-error.ts';
import { nodeHttp } from '../kernel/http/node-http.ts';
import { MOST_READ_HEAD_BYTES } from '../kernel/http/request-head.ts';
import type { JarServer } from '../kernel/http/server.ts';
import type { SocketServer } from '../kernel/http/socket-server.ts';
import type { Addresses } from '../kernel/service/jar.ts';
import type { Logger } from '../kernel/telemetry/log.ts';
import { after, wallNow } from '../kernel/time/timers.ts';
import type { Authority } from '../kernel/tls/authority.ts';
import { lazyHttps, takeUpgrades } from '../kernel/tls/lazy-https.ts';

export interface ListenOptions extends JarServer {
  readonly webSockets: SocketServer;
  readonly config: Config;
  /** Folder of the certificates; undefined keeps them in memory. */
  readonly folder: string | undefined;
  readonly authority: Authority;
  readonly addresses: Addresses;
  readonly log: Logger;
}

export interface Listening {
  readonly url: string;
  readonly httpsUrl: string;
  readonly caPath: string | undefined;
  ca(): Promise<string>;
  close(): Promise<void>;
}

/** Addresses that are shown as `localhost`, the name in the certificate. */
const LOCALHOSTS = new Set(['127.0.0.1', '0.0.0.0', '::']);

/** Share of the shutdown time for running requests. */
const SHARE_OF_REQUESTS = 0.5;
const SWEEP_MS = 25;

/** Options of both ports. */
const HTTP = {
  /** A client that takes longer to send a request is disconnected. */
  requestTimeout: 300_000,
  /** An idle connection is kept open for this long. */
  keepAliveTimeout: 72_000,
  maxHeaderSize: MOST_READ_HEAD_BYTES,
  /** The jar itself refuses a request without a Host header, in the error shape of the requested API. */
  requireHostHeader: false,
} as const;

/** Serves requests on both ports: HTTP, and HTTPS with a certificate of the jar's own CA. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { handle, refuse, webSockets, config, folder, authority, addresses, log } = options;
  const { host, port, httpsPort } = config;
  // Checked now rather than at the first connection: a damaged CA must fail the start, and the printed path must lead to a file.
  if (folder !== undefined) authority.check();
  const secure = lazyHttps({
    loadCredentials: () => authority.serverCredentials(),
    credentialsFor: (name) => authority.credentialsFor(name),
    onRequest: handle,
    onUnreadable: refuse,
    webSockets,
    wallNow,
    log,
    http: HTTP,
  });
  const plain = nodeHttp.createServer(HTTP, handle).on('clientError', refuse);
  plain.on('checkContinue', handle).on('checkExpectation', handle);
  takeUpgrades(plain, webSockets);
  const sockets = new Set<Socket>();
  plain.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await listenOn(plain, host, port, '--port');
  try {
    await listenOn(secure, host, httpsPort, '--https-port');
  } catch (error) {
    await closed(plain);
    throw error;
  }
  addresses.httpPort = portOf(plain);
  addresses.httpsPort = portOf(secure);
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${addresses.httpPort}`,
    httpsUrl: `https://${LOCALHOSTS.has(host) ? 'localhost' : name}:${addresses.httpsPort}`,
    caPath: authority.caPath,
    ca: async () => authority.caPem,
    async close() {
      const graceMs = config.shutdownTimeoutMs * SHARE_OF_REQUESTS;
      const cancel = after(graceMs, () => {
        log.warn(`requests that were still running after ${graceMs / 1000} s were aborted`);
        secure.closeAllConnections();
        plain.closeAllConnections();
      });
      const sweep = (): void => {
        dropIdle(plain, sockets);
        stopSweeping = after(SWEEP_MS, sweep);
      };
      let stopSweeping = after(SWEEP_MS, sweep);
      try {
        await Promise.all([closed(plain), closed(secure)]);
      } finally {
        cancel();
        stopSweeping();
      }
    },
  };
}

/**
 * A connection becomes idle after its last answer, and clients would keep it open. Browsers also open connections in advance; Node treats a
 * connection without any bytes as a request in progress, so it is closed here.
 */
function dropIdle(server: HttpServer, sockets: Iterable<Socket>): void {
  server.closeIdleConnections();
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
}

function listenOn(server: Server, host: string, port: number, flag: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => reject(listenError(error, { host, port, flag }));
    server.once('error', refuse);
    server.listen({ host, port }, () => {
      server.off('error', refuse);
      resolve();
    });
  });
}

/** Resolves when all connections are closed. */
const closed = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
