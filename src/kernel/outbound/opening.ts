import { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/**
 * Connections that are being opened. The client forgets about these when it is destroyed, and they would keep the process alive until the
 * other side says something or the time is over.
 */
export class Opening {
  readonly #sockets = new Set<Socket>();

  watch(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) => {
      // It gives the socket, whatever its type says.
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
