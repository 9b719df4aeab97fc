import { connect, type Socket } from 'node:net';

/** A client that controls every byte, for requests that no library would send. */
export class RawClient {
  readonly socket: Socket;
  /** Resolves with everything that was received when the connection is closed. */
  readonly closed: Promise<string>;
  #received = '';
  #error: Error | undefined;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.setEncoding('latin1').on('data', (text: string) => {
      this.#received += text;
    });
    this.socket.on('error', (error) => {
      this.#error = error;
    });
    this.closed = new Promise((resolve) => this.socket.on('close', () => resolve(this.#received)));
  }

  get received(): string {
    return this.#received;
  }

  get error(): Error | undefined {
    return this.#error;
  }

  /** `lines` are the request line and the headers. */
  head(...lines: readonly string[]): this {
    this.socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    return this;
  }

  /** Resolves with everything that was received so far, once it matches. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.#received)) {
      if (this.socket.destroyed) throw new Error(`the connection ended after ${JSON.stringify(this.#received)}`);
      await new Promise<void>((resolve) => {
        const done = (): void => {
          this.socket.off('data', done).off('close', done);
          resolve();
        };
        this.socket.on('data', done).on('close', done);
      });
    }
    return this.#received;
  }

  /** Sends this many bytes of a body as fast as they are accepted; false if the connection ends first. */
  async fill(bytes: number): Promise<boolean> {
    const piece = Buffer.alloc(64 * 1024, 0x20);
    for (let left = bytes; left > 0 && !this.socket.destroyed; left -= piece.length) {
      if (this.socket.write(piece.subarray(0, Math.min(left, piece.length)))) continue;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          this.socket.off('drain', done).off('close', done);
          resolve();
        };
        this.socket.on('drain', done).on('close', done);
      });
    }
    return !this.socket.destroyed;
  }

  close(): void {
    this.socket.destroy();
  }
}
