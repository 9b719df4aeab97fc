import { Duplex } from 'node:stream';

/** The input and output of a simulated terminal. */
export class TerminalStream extends Duplex {
  /** Receives input. */
  onInput: (bytes: Buffer) => void;
  /** Resolves when the output has ended. */
  readonly finished: Promise<void>;
  readonly #gone = new AbortController();
  readonly #waiting: Buffer[] = [];
  /** Pending while the reader is not reading. */
  #room: PromiseWithResolvers<void> | undefined;
  #isFinished = false;

  constructor() {
    super({ allowHalfOpen: true });
    this.onInput = (bytes) => this.#waiting.push(bytes);
    this.finished = new Promise((resolve) => {
      this.#gone.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    this.on('error', () => {});
  }

  /** Aborted when the reader has left or the output has ended. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Input that arrived earlier is passed on first. */
  listen(onInput: (bytes: Buffer) => void): void {
    this.onInput = onInput;
    for (const bytes of this.#waiting.splice(0)) onInput(bytes);
  }

  /** Writes with line ends of a terminal; waits while the reader is not reading. */
  async say(text: string): Promise<void> {
    if (this.#isFinished || this.destroyed || text === '') return;
    if (this.push(Buffer.from(text.replace(/\r?\n/g, '\r\n')))) return;
    await this.#whenRead();
  }

  finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    if (!this.destroyed) this.push(null);
    this.#gone.abort();
    this.#room?.resolve();
  }

  /** One promise for all writers: input may be echoed while a command is writing. */
  #whenRead(): Promise<void> {
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }

  override _read(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  override _write(chunk: Buffer | string, _encoding: string, done: () => void): void {
    this.onInput(Buffer.from(chunk));
    // Input is echoed, so a client that does not read may not send more.
    if (this.#isFinished || this.readableLength < this.readableHighWaterMark) done();
    else void this.#whenRead().then(done);
  }

  /** The end of the input acts as Ctrl-D. */
  override _final(done: () => void): void {
    this.onInput(Buffer.from([4]));
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.finish();
    done(error);
  }
}
