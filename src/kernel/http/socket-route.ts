import type { HttpJar } from './jar.ts';
import type { Call, Params, Route } from './route.ts';

export interface SocketMessage {
  readonly data: Buffer;
  /** Sent as text, and therefore valid UTF-8. */
  readonly isText: boolean;
}

/** A WebSocket connection as services see it. */
export interface SocketConnection {
  /** In the order sent; ends with the connection. The client is paused while messages are not consumed. */
  messages(): AsyncIterable<SocketMessage>;
  /** Sends a string as text, bytes as binary. Resolves when there is room for more; with false if the connection is closed. */
  send(data: string | Buffer): Promise<boolean>;
  /** 1000 for a normal end; see `CLOSE` for other codes. The reason may have 123 bytes. */
  close(code: number, reason: string): void;
  /** Aborted when the connection ends, on either side. */
  readonly closed: AbortSignal;
}

/** RFC 6455, 7.4.1. */
export const CLOSE = { normal: 1000, goingAway: 1001, policy: 1008, tooBig: 1009, internal: 1011 } as const;

export interface SocketRouteOptions<Path extends string, J extends HttpJar = HttpJar> {
  /** A template, as in `Route.path`. */
  readonly path: Path;
  /** Name in metrics, logs and fault rules. */
  readonly operation: string;
  readonly summary: string;
  /** Throws an `ApiError` to reject the handshake with an HTTP response. */
  admit?(call: SocketCall<Path, J>): Promise<void> | void;
  /** Serves one connection; the connection is closed when this resolves, and with 1011 if it throws. */
  open(call: SocketCall<Path, J>, socket: SocketConnection): Promise<void>;
}

/** Declaration of a WebSocket for the router. */
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

/** The route for an ordinary request to the path of a WebSocket. */
export function placeOf({ path, operation, summary }: SocketHead): Route {
  return {
    method: 'GET',
    path,
    operation,
    summary,
    open: true,
    isSocket: true,
    handle: () => {
      throw new Error('a WebSocket has no handler for requests');
    },
  };
}
