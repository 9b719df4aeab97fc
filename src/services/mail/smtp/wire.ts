import type { Duplex } from 'node:stream';
import { Goodbye } from './reply.ts';

const CR = 0x0d;
const LF = 0x0a;

/**
 * A connection as something to read from and to write to in turn. Nothing is read that nobody asked for, so a client that sends faster than it
 * is served is held up by the system.
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

  /** Whether the client has sent more than was consumed. */
  get hasMore(): boolean {
    return (this.#rest?.length ?? 0) > 0 || this.#stream.readableLength > 0;
  }

  /** What comes next, of any length; undefined when the client is gone. */
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

  /** Gives back what was read and not consumed. */
  unread(rest: Buffer): void {
    this.#rest = rest.length > 0 ? rest : undefined;
  }

  /**
   * The next line without its end; undefined when the client is gone before the end. Only CRLF ends a line: where two servers disagree about
   * that, what is text for one is a command for the other.
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
      if (first < 0) throw new Goodbye(500, '5.5.2', 'A line ends with CR LF, this one ended with LF alone');
      if (first < line.length - 1) throw new Goodbye(500, '5.5.2', 'A line ends with CR LF, this one has CR within');
      return line.subarray(0, first);
    }
  }

  /** Resolves when there is room for more, so that replies to a client that never reads them do not pile up. */
  async write(text: string): Promise<void> {
    if (this.#stream.destroyed || this.#stream.writableEnded) return;
    this.#stream.write(text);
    while (this.#stream.writableNeedDrain && !this.#stream.destroyed) {
      if (this.#interruption) throw this.#interruption;
      await this.#event();
    }
  }

  /** Whoever reads or writes gets this instead, now or with the next call. The first one counts. */
  interrupt(reason: Goodbye): void {
    this.#interruption ??= reason;
    this.#onEvent();
  }

  /** Forgets what the client has sent so far. */
  drop(): void {
    this.#rest = undefined;
    while (this.#stream.read() !== null);
  }

  /** Leaves the stream to somebody else. */
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
