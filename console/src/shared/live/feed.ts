import { compared, type Frame, type SentFrame } from './frame.ts';

export type Connection = 'connecting' | 'live' | 'lost';

/** A stream that has not begun by then counts as lost, so that pages are shown without it. */
const SLOW_BEGINNING_MS = 3_000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;

/** The one stream of the page: every list, counter and clock follows it. */
export class LiveFeed {
  readonly #frames = new Set<(frame: Frame) => void>();
  readonly #changes = new Set<() => void>();
  #source: EventSource | undefined;
  #last: Frame | undefined;
  #connection: Connection = 'connecting';
  #retry = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  get last(): Frame | undefined {
    return this.#last;
  }

  get connection(): Connection {
    return this.#connection;
  }

  start(): () => void {
    this.#open();
    const beginning = setTimeout(() => {
      if (this.#connection !== 'connecting') return;
      this.#connection = 'lost';
      this.#tell();
    }, SLOW_BEGINNING_MS);
    return () => {
      clearTimeout(beginning);
      clearTimeout(this.#timer);
      this.#source?.close();
      this.#source = undefined;
    };
  }

  /** Calls back for every frame. */
  onFrame(listener: (frame: Frame) => void): () => void {
    this.#frames.add(listener);
    return () => this.#frames.delete(listener);
  }

  /** Calls back when `last` or `connection` has changed, for useSyncExternalStore. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#changes.add(listener);
    return () => this.#changes.delete(listener);
  };

  #open(): void {
    const source = new EventSource('/_jar/live');
    this.#source = source;
    source.addEventListener('tick', ({ data }: MessageEvent<string>) => {
      const wasLost = this.#connection === 'lost';
      this.#retry = 0;
      this.#connection = 'live';
      const sent: SentFrame = JSON.parse(data);
      // While the connection was lost anything may have happened: every page reads its data again.
      const frame = compared(wasLost ? { ...sent, stateReplaced: true } : sent, this.#last);
      this.#last = frame;
      for (const listener of this.#frames) listener(frame);
      this.#tell();
    });
    source.addEventListener('error', () => {
      if (this.#source !== source) return;
      // The browser's own reconnection gives up after some errors and cannot be asked how long it waits.
      source.close();
      this.#connection = 'lost';
      this.#tell();
      const wait = Math.min(FIRST_RETRY_MS * 2 ** this.#retry, LONGEST_RETRY_MS);
      this.#retry += 1;
      this.#timer = setTimeout(() => this.#open(), wait);
    });
  }

  #tell(): void {
    for (const listener of this.#changes) listener();
  }
}
