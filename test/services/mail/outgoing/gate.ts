import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll } from 'vitest';

/**
 * A proxy to a server whose port is known only later. It can be shut: clients are then disconnected at once, as if the server had stopped.
 */
export class Gate {
  readonly port: number;
  target = 0;
  isOpen = true;
  /** Client connections so far, including rejected ones. */
  connections = 0;

  private constructor(server: Server, port: number, sockets: Set<Socket>) {
    this.port = port;
    server.on('connection', (client: Socket) => {
      this.connections += 1;
      if (!this.isOpen) return void client.destroy();
      const onward = connect(this.target, '127.0.0.1');
      for (const [from, to] of [
        [client, onward],
        [onward, client],
      ] as const) {
        sockets.add(from.on('error', () => to.destroy()).on('close', () => sockets.delete(from)));
        from.pipe(to);
      }
    });
  }

  /** Closed with the test file. */
  static async open(): Promise<Gate> {
    const sockets = new Set<Socket>();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the gate has no port');
    afterAll(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    return new Gate(server, address.port, sockets);
  }
}
