import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocketServer } from 'ws';
import { every, later, processTime } from '../time/timers.ts';
import { originForm, RequestCall } from './call.ts';
import { ApiError } from './errors.ts';
import type { ApiFamily } from './family.ts';
import type { HostNameTable } from './host-names.ts';
import type { ApplyFault, FaultOnRequest } from './interference.ts';
import type { HttpJar } from './jar.ts';
import { nodeHttp } from './node-http.ts';
import type { Owner } from './owner.ts';
import type { Answer } from './route.ts';
import { type Match, Router } from './router.ts';
import { headersOf, payloadOf } from './send.ts';
import { asApiError, type Finished } from './server.ts';
import { WsConnection } from './socket-connection.ts';
import { CLOSE, placeOf, type SocketHead, type SocketRoute } from './socket-route.ts';

/** A longer message closes the connection with 1009. */
export const LONGEST_MESSAGE_BYTES = 1024 * 1024;
/** Heartbeat interval. */
const CHECK_EVERY_MS = 30_000;
/** How long clients may take to answer the close frame when the jar closes. */
const CLOSE_GRACE_MS = 1_000;

export interface SocketServerOptions {
  readonly jar: HttpJar;
  readonly sockets: readonly DeclaredSocket[];
  readonly hostNames: HostNameTable;
  readonly interfere: ApplyFault;
  readonly observe: (finished: Finished) => unknown;
}

/** A WebSocket declared in a service's manifest. */
export interface DeclaredSocket {
  readonly owner: Owner;
  readonly head: SocketHead;
  /** Opens the service, and returns its code for the connection. */
  readonly open: () => Promise<SocketRoute>;
}

/** Handles the upgrades of both ports. */
export interface SocketServer {
  /**
   * True only for declared WebSockets and for hosts that a service serves itself; everything else is an ordinary request, even if it asks
   * for an upgrade.
   */
  takes(request: IncomingMessage): boolean;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

type FoundSocket = Extract<Match<DeclaredSocket>, { kind: 'route' }>;

/** Serves the WebSockets of all services. The library is loaded with the first connection. */
export function createSocketServer({ jar, sockets, hostNames, interfere, observe }: SocketServerOptions): SocketServer {
  const router = new Router<DeclaredSocket>(jar.config.namespace);
  for (const socket of sockets) router.add(placeOf(socket.head), socket);
  const open = new Set<WsConnection>();
  let stopChecking: (() => void) | undefined;

  jar.closing.addEventListener('abort', () => {
    for (const connection of open) dismiss(connection);
  });

  return {
    takes: (request) =>
      hostNames.find(request) !== undefined ||
      (sockets.length > 0 && isHandshake(request) && find(request) !== undefined),
    upgrade(request, socket, head) {
      const elsewhere = hostNames.find(request);
      if (elsewhere) {
        elsewhere.names.upgrade(request, socket, head, elsewhere.host);
        return;
      }
      // Until the handshake is done, no other listener handles errors of the connection.
      const ignore = (): void => {};
      socket.on('error', ignore);
      const found = find(request);
      if (!found) {
        socket.destroy();
        return;
      }
      serve(found, request, socket, head)
        .catch((error) => {
          jar.log.error({ err: error }, 'a WebSocket request could not be rejected');
          socket.destroy();
        })
        .finally(() => socket.off('error', ignore));
    },
  };

  function find(request: IncomingMessage): FoundSocket | undefined {
    const [path = '/'] = originForm(request.url ?? '/').split('?', 1);
    const match = router.match('GET', path);
    return match.kind === 'route' ? match : undefined;
  }

  async function serve(found: FoundSocket, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const began = processTime();
    const { owner, open: openService } = found.owner;
    const { family } = owner;
    const response = new nodeHttp.ServerResponse(request);
    let notOpened: unknown;
    const route = await openService().catch((error: unknown) => {
      notOpened = error;
      return undefined;
    });
    const call = new RequestCall(owner.jar, request, response, found.route, found.params);
    let fault: FaultOnRequest | undefined;
    const finish = (answer: Answer, error?: unknown): void => {
      const milliseconds = processTime() - began;
      observe({ call, service: owner.name, answer, error, fault: fault?.rule, milliseconds });
    };
    const refuse = (thrown: unknown): void => {
      const error = asApiError(thrown, family);
      const rendered = family.renderError(error, call);
      const answer = { ...rendered, headers: { ...error.headers, ...rendered.headers } };
      finish(answer, thrown);
      answerWith(fault?.mark(answer) ?? answer, family, call, response, socket);
    };
    try {
      fault = await interfere(owner, call);
      if (fault?.dropped) {
        socket.destroy();
        return;
      }
      if (fault?.answer) {
        finish(fault.answer);
        answerWith(fault.mark(fault.answer), family, call, response, socket);
        return;
      }
      if (jar.closing.aborted) throw new ApiError(503, family.codes.unavailable, 'The jar is closing.');
      if (!route) throw notOpened;
      await route.admit?.(call);
    } catch (thrown) {
      refuse(thrown);
      return;
    }
    const library = await socketLibrary();
    const connection = await handshake(library, request, socket, head).catch((error) => {
      refuse(error instanceof ApiError ? error : new ApiError(400, family.codes.invalidQuery, String(error.message)));
      return undefined;
    });
    if (!connection || !route) return;
    finish({ status: 101 });
    void attend(connection, route, call);
  }

  async function attend(connection: WsConnection, route: SocketRoute, call: RequestCall): Promise<void> {
    open.add(connection);
    stopChecking ??= every(CHECK_EVERY_MS, () => {
      for (const each of open) each.checkAlive();
    });
    connection.closed.addEventListener('abort', () => {
      open.delete(connection);
      if (open.size > 0) return;
      stopChecking?.();
      stopChecking = undefined;
    });
    if (jar.closing.aborted) dismiss(connection);
    try {
      await route.open(call, connection);
      connection.close(CLOSE.normal, '');
    } catch (error) {
      jar.log.error({ err: error, requestId: call.requestId }, `the WebSocket ${route.operation} failed`);
      connection.close(CLOSE.internal, 'an unexpected error happened');
    }
  }
}

function dismiss(connection: WsConnection): void {
  connection.close(CLOSE.goingAway, 'the jar is closing');
  later(CLOSE_GRACE_MS, () => connection.terminate());
}

const isHandshake = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

function answerWith(
  answer: Answer,
  family: ApiFamily,
  call: RequestCall,
  response: ServerResponse,
  socket: Duplex,
): void {
  const headers = headersOf(family, call, answer);
  const payload = answer.body === undefined ? '' : payloadOf(answer.body, headers);
  response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
  response.once('finish', () => socket.end());
  response.writeHead(answer.status, { ...headers, connection: 'close', 'content-length': Buffer.byteLength(payload) });
  response.end(payload);
}

let library: Promise<WebSocketServer> | undefined;

function socketLibrary(): Promise<WebSocketServer> {
  library ??= import('ws').then((module) => {
    // In a bundle, a CommonJS package has only a default export.
    const Server = module.WebSocketServer ?? (module.default as unknown as typeof module).WebSocketServer;
    return new Server({ noServer: true, maxPayload: LONGEST_MESSAGE_BYTES, perMessageDeflate: false });
  });
  return library;
}

function handshake(
  server: WebSocketServer,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<WsConnection> {
  return new Promise((resolve, reject) => {
    // Synchronous, so that listeners of different handshakes cannot mix.
    server.once('wsClientError', reject);
    server.handleUpgrade(request, socket, head, (accepted) => resolve(new WsConnection(accepted)));
    server.off('wsClientError', reject);
    reject(new Error('The connection is gone.'));
  });
}
