import type { RawData, WebSocket } from 'ws';
import type { SocketConnection, SocketMessage } from './socket-route.ts';

/** So much may wait to be taken before the client is held up. */
const MOST_WAITING_BYTES = 1024 * 1024;
/** What a message takes besides its content: empty ones fill memory, too. */
const BYTES_OF_A_MESSAGE = 256;
const LONGEST_REASON_BYTES = 123;

/** A connection of the `ws` library behind the interface that services know. */
export class WsConnection implements SocketConnection {
  readonly #socket: WebSocket;
  readonly #closed = new AbortController();
  readonly #waiting: SocketMessage[] = [];
  #waitingBytes = 0;
  #wake: (() => void) | undefined;
  #isAlive = true;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data, isBinary) => this.#receive(data, !isBinary));
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    // What is wrong with a frame ends the connection with the proper code by itself.
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#closed.abort();
      this.#wake?.();
    });
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  async *messages(): AsyncGenerator<SocketMessage, void> {
    for (;;) {
      const message = this.#waiting.shift();
      if (message) {
        this.#waitingBytes -= sizeOf(message);
        if (this.#waitingBytes < MOST_WAITING_BYTES) this.#socket.resume();
        yield message;
      } else if (this.closed.aborted) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  send(data: string | Buffer): Promise<boolean> {
    return new Promise((resolve) => this.#socket.send(data, (error) => resolve(!error)));
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, shortened(reason));
    // A client that was held up must be read again, or its own half of the closing is never seen.
    this.#socket.resume();
  }

  /** Asks whether the client is still there; one that has not answered since the last time is gone. */
  checkAlive(): void {
    // The answer of one that is held up could not be read.
    if (this.#socket.isPaused) return;
    if (!this.#isAlive) {
      this.#socket.terminate();
      return;
    }
    this.#isAlive = false;
    this.#socket.ping(undefined, undefined, () => {});
  }

  terminate(): void {
    this.#socket.terminate();
  }

  #receive(data: RawData, isText: boolean): void {
    const bytes = Buffer.isBuffer(data) ? data : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]);
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    const message = { data: bytes, isText };
    this.#waiting.push(message);
    this.#waitingBytes += sizeOf(message);
    if (this.#waitingBytes >= MOST_WAITING_BYTES) this.#socket.pause();
    this.#wake?.();
  }
}

const sizeOf = ({ data }: SocketMessage): number => data.length + BYTES_OF_A_MESSAGE;

function shortened(reason: string): string {
  let text = reason;
  while (Buffer.byteLength(text) > LONGEST_REASON_BYTES) text = text.slice(0, -1);
  return text;
}
