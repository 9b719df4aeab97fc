import type { Duplex } from 'node:stream';
import { Goodbye } from './reply.ts';

const CR = 0x0d;
const LF = 0x0a;

/**
 * Reads from and writes to a connection in turn. Reads only on demand, so that TCP flow control slows down a client that sends too fast.
 */
export class Wire {
  readonly #stream: Duplex;
  #rest: Buffer | undefined;
  #interruption: Goodbye | undefined;
  #wake: (() => void) | undefined;

  constructor(stream: Duplex) {
    this.#stream = stream;
    for (const event of EVENTS) stream.on(event, this.#onEvent);
  }

  /** True if the client has sent more than was consumed. */
  get hasMore(): boolean {
    return (this.#rest?.length ?? 0) > 0 || this.#stream.readableLength > 0;
  }

  /** The next bytes, of any length; undefined if the client has disconnected. */
  async read(): Promise<Buffer | undefined> {
    for (;;) {
      if (this.#interruption) throw this.#interruption;
      const piece = this.#rest ?? (this.#stream.read() as Buffer | null);
      this.#rest = undefined;
      if (piece !== null && piece.length > 0) return piece;
      if (this.#stream.readableEnded || this.#stream.destroyed) return undefined;
      await this.#event();
    }
  }

  /** Puts unconsumed bytes back. */
  unread(rest: Buffer): void {
    this.#rest = rest.length > 0 ? rest : undefined;
  }

  /**
   * The next line without its line break; undefined if the client disconnects before the end. Only CRLF ends a line: if two servers
   * disagree about that, text for one is a command for the other.
   */
  async readLine(longest: number): Promise<Buffer | undefined> {
    let line: Buffer | undefined;
    for (;;) {
      const piece = await this.read();
      if (piece === undefined) return undefined;
      const end = piece.indexOf(LF);
      const part = end < 0 ? piece : piece.subarray(0, end);
      if ((line?.length ?? 0) + part.length > longest + 1) throw new Goodbye(500, '5.5.2', 'The line is too long');
      line = line ? Buffer.concat([line, part]) : part;
      if (end < 0) continue;
      this.unread(piece.subarray(end + 1));
      const first = line.indexOf(CR);
      if (first < 0) throw new Goodbye(500, '5.5.2', 'A line must end with CR LF; this one ends with LF only');
      if (first < line.length - 1)
        throw new Goodbye(500, '5.5.2', 'A line must end with CR LF; this one contains another CR');
      return line.subarray(0, first);
    }
  }

  /** Resolves when the buffer has room, so that replies do not pile up for a client that never reads them. */
  async write(text: string): Promise<void> {
    if (this.#stream.destroyed || this.#stream.writableEnded) return;
    this.#stream.write(text);
    while (this.#stream.writableNeedDrain && !this.#stream.destroyed) {
      if (this.#interruption) throw this.#interruption;
      await this.#event();
    }
  }

  /** Makes the current or the next read or write throw the reason. The first reason wins. */
  interrupt(reason: Goodbye): void {
    this.#interruption ??= reason;
    this.#onEvent();
  }

  /** Discards everything that the client has sent so far. */
  drop(): void {
    this.#rest = undefined;
    while (this.#stream.read() !== null);
  }

  /** Stops using the stream, for another reader. */
  release(): void {
    for (const event of EVENTS) this.#stream.off(event, this.#onEvent);
  }

  #event(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }

  readonly #onEvent = (): void => {
    this.#wake?.();
    this.#wake = undefined;
  };
}

const EVENTS = ['readable', 'end', 'drain', 'close'] as const;
