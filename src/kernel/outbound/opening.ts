import { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/**
 * Sockets that are being connected. A destroyed client does not close them, and they would keep the process alive until the other side
 * answers or the timeout ends.
 */
export class Opening {
  readonly #sockets = new Set<Socket>();

  watch(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) => {
      // Returns the socket, although its type does not say so.
      const opened: unknown = connect(options, (...result) => {
        if (opened instanceof Socket) this.#sockets.delete(opened);
        callback(...result);
      });
      if (opened instanceof Socket) this.#sockets.add(opened);
    };
  }

  end(): void {
    for (const socket of this.#sockets) socket.destroy(new Error('the jar is closed'));
    this.#sockets.clear();
  }
}
