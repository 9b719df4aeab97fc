import type { HttpJar } from './jar.ts';
import type { Call, Params, Route } from './route.ts';

/** What a client sent in one piece. */
export interface SocketMessage {
  readonly data: Buffer;
  /** Sent as text, and therefore valid UTF-8. */
  readonly isText: boolean;
}

/** A WebSocket as services see it. */
export interface SocketConnection {
  /** In the order sent; ends when the connection does. The client is held up while nobody takes them. */
  messages(): AsyncIterable<SocketMessage>;
  /** A string goes as text, bytes as binary. Resolves when there is room for more; false once the connection is over. */
  send(data: string | Buffer): Promise<boolean>;
  /** 1000 when all is well; see `CLOSE` for the codes that mean something else. The reason has 123 bytes at most. */
  close(code: number, reason: string): void;
  /** Aborted when the connection is over, whoever ended it. */
  readonly closed: AbortSignal;
}

/** RFC 6455, 7.4.1. */
export const CLOSE = { normal: 1000, goingAway: 1001, policy: 1008, tooBig: 1009, internal: 1011 } as const;

export interface SocketRouteOptions<Path extends string, J extends HttpJar = HttpJar> {
  /** A template as in `Route.path`. */
  readonly path: Path;
  /** Names it in metrics, logs and fault rules. */
  readonly operation: string;
  readonly summary: string;
  /** Throws an `ApiError` to refuse the handshake with an HTTP answer. */
  admit?(call: SocketCall<Path, J>): Promise<void> | void;
  /** Serves one connection; it is closed when this resolves, and with 1011 when it throws. */
  open(call: SocketCall<Path, J>, socket: SocketConnection): Promise<void>;
}

/** What the router has to know of a WebSocket. */
export interface SocketHead {
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
}

export interface SocketRoute extends SocketHead {
  admit?(call: Call): Promise<void> | void;
  open(call: Call, socket: SocketConnection): Promise<void>;
}

type SocketCall<Path extends string, J extends HttpJar> = Call<Params<Path>, Call['query'], unknown, J>;

/** Declares a WebSocket; the path template types `call.params`. */
export type MakeSocketRoute<J extends HttpJar> = <const Path extends string>(
  options: SocketRouteOptions<Path, J>,
) => SocketRoute;

export const socketRoutesFor =
  <J extends HttpJar>(): MakeSocketRoute<J> =>
  (options: SocketRoute): SocketRoute =>
    options;

/** The route that an ordinary request to the address of a WebSocket meets. */
export function placeOf({ path, operation, summary }: SocketHead): Route {
  return {
    method: 'GET',
    path,
    operation,
    summary,
    open: true,
    isSocket: true,
    handle: () => {
      throw new Error('a WebSocket is not handled as a request');
    },
  };
}
