import { rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy for a socket, whose connections can be closed. */
export interface SocketProxy {
  readonly path: string;
  /** Closes all connections. New ones are accepted, so a client that repeats its request succeeds. */
  cut(): void;
  /** Closes the next connection with this request before forwarding it; the request line is `POST /v1.41/… HTTP/1.1`. */
  cutAt(request: RegExp): void;
  /** Forwards the next request of this kind, but not its response. */
  silenceAt(request: RegExp): void;
  /** Accepts connections and data but forwards nothing, like an engine that hangs. */
  hang(): void;
  /** Forwards everything again, starting with what arrived meanwhile. */
  goOn(): void;
  /** Closes all connections and accepts no more, like an engine that is gone. */
  close(): Promise<void>;
}

export async function startProxy(target: string, path: string): Promise<SocketProxy> {
  const sockets = new Set<Socket>();
  let pattern: RegExp | undefined;
  let silent: RegExp | undefined;
  let held: (() => void)[] | undefined;
  const server = createServer((near) => {
    const far = connect(target);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (data) => {
      const line = String(data).split('\r\n', 1)[0] ?? '';
      if (pattern?.test(line)) {
        pattern = undefined;
        // Requests repeated on a new connection must not be forwarded at once either.
        for (const socket of sockets) socket.destroy();
        server.close();
        return;
      }
      if (silent?.test(line)) {
        silent = undefined;
        far.unpipe(near);
      }
      if (held) held.push(() => far.write(data));
      else far.write(data);
    });
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    path,
    cut,
    cutAt(request) {
      pattern = request;
    },
    silenceAt(request) {
      silent = request;
    },
    hang() {
      held ??= [];
    },
    goOn() {
      for (const pass of held?.splice(0) ?? []) pass();
      held = undefined;
    },
    async close() {
      cut();
      server.close();
      await rm(path, { force: true });
    },
  };
}
