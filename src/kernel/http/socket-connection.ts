import type { RawData, WebSocket } from 'ws';
import type { SocketConnection, SocketMessage } from './socket-route.ts';

/** Bytes that may wait for the service before the client is paused. */
const MOST_WAITING_BYTES = 1024 * 1024;
/** Overhead of a message: empty messages use memory too. */
const BYTES_OF_A_MESSAGE = 256;
const LONGEST_REASON_BYTES = 123;

/** Adapts a connection of the `ws` library to the interface for services. */
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
    // `ws` closes the connection with the proper code on an invalid frame.
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
    // A paused client must be resumed, or its close frame is never read.
    this.#socket.resume();
  }

  /** Heartbeat: pings the client, and terminates the connection if the previous ping was not answered. */
  checkAlive(): void {
    // The pong of a paused client cannot be read.
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
