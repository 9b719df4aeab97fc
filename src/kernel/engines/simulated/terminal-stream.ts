import { Duplex } from 'node:stream';

/** The two directions of a simulated terminal. */
export class TerminalStream extends Duplex {
  /** Takes what is typed. */
  onInput: (bytes: Buffer) => void;
  /** Resolves when nothing more comes out. */
  readonly finished: Promise<void>;
  readonly #gone = new AbortController();
  readonly #waiting: Buffer[] = [];
  /** Pending while nobody reads. */
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

  /** Aborted when nobody listens any more, or nothing more will come. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** From now on; what was typed before comes first. */
  listen(onInput: (bytes: Buffer) => void): void {
    this.onInput = onInput;
    for (const bytes of this.#waiting.splice(0)) onInput(bytes);
  }

  /** As a terminal shows it; waits while nobody reads. */
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

  /** One promise for all who wait: what is typed is shown while a command may still be writing. */
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
    // What is typed is shown, so that whoever does not look may not type on.
    if (this.#isFinished || this.readableLength < this.readableHighWaterMark) done();
    else void this.#whenRead().then(done);
  }

  /** The end of the input is what Ctrl-D is. */
  override _final(done: () => void): void {
    this.onInput(Buffer.from([4]));
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.finish();
    done(error);
  }
}
