import { rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';

/** A socket in front of another one, whose connections can be cut. */
export interface SocketProxy {
  readonly path: string;
  /** Ends all connections there are. New ones are accepted: a client that repeats its request gets through. */
  cut(): void;
  /** Ends the next connection on which this is asked for, before it gets through; the request line is `POST /v1.41/… HTTP/1.1`. */
  cutAt(request: RegExp): void;
  /** Passes the next request of this kind on and nothing of its answer back. */
  silenceAt(request: RegExp): void;
  /** Takes connections and what comes on them, and passes nothing on, as an engine that hangs. */
  hang(): void;
  /** Passes everything on again, what came meanwhile first. */
  goOn(): void;
  /** Ends all connections and accepts no more, as an engine that is gone. */
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
        // Also what was tried again on a new connection must not get through at once.
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
