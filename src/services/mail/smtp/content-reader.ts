const CR = 0x0d;
const LF = 0x0a;
const DOT = 0x2e;

/** States: the position of the next byte in its line. */
const START = 0;
const TEXT = 1;
const AFTER_CR = 2;
const AFTER_DOT = 3;
const AFTER_DOT_CR = 4;

export type Flaw = 'bare-lf' | 'bare-cr' | 'long-line';

/**
 * Finds the end of a message and removes dot-stuffing. Only CRLF.CRLF ends a message: servers that also accept LF.LF can be tricked into
 * reading the text of one message as another message (SMTP smuggling). A lone CR or LF is a flaw; the rest is still read to the real end,
 * so that none of it is ever read as a command.
 */
export class ContentReader {
  readonly #longestLine: number;
  readonly #keep: (piece: Buffer) => void;
  #state = START;
  #lineLength = 0;
  flaw: Flaw | undefined;

  /** `keep` receives the content in pieces, up to the first flaw. */
  constructor(longestLine: number, keep: (piece: Buffer) => void) {
    this.#longestLine = longestLine;
    this.#keep = keep;
  }

  /** If the message ends within these bytes, returns how many of them belong to it; otherwise undefined. */
  add(bytes: Buffer): number | undefined {
    let state = this.#state;
    let lineLength = this.#lineLength;
    /** Start of the bytes to keep. Bytes that are held back (a dot that may be stuffing, or the end) come before it. */
    let from = 0;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i];
      switch (state) {
        case START:
          if (byte === DOT) {
            this.#give(bytes, from, i);
            from = i + 1;
            state = AFTER_DOT;
            continue;
          }
          break;
        case AFTER_DOT:
          if (byte === CR) {
            state = AFTER_DOT_CR;
            continue;
          }
          from = i;
          break;
        case AFTER_DOT_CR:
          if (byte === LF) {
            this.#state = START;
            return i + 1;
          }
          this.#note('bare-cr');
          break;
        case AFTER_CR:
          if (byte === LF) {
            state = START;
            lineLength = 0;
            continue;
          }
          this.#note('bare-cr');
          break;
      }
      if (byte === LF) this.#note('bare-lf');
      if (++lineLength > this.#longestLine && byte !== CR) this.#note('long-line');
      state = byte === CR ? AFTER_CR : TEXT;
    }
    this.#state = state;
    this.#lineLength = lineLength;
    if (state !== AFTER_DOT && state !== AFTER_DOT_CR) this.#give(bytes, from, bytes.length);
    return undefined;
  }

  #give(bytes: Buffer, from: number, to: number): void {
    if (this.flaw === undefined && to > from) this.#keep(bytes.subarray(from, to));
  }

  #note(flaw: Flaw): void {
    this.flaw ??= flaw;
  }
}
