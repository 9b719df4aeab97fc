import { APOSTROPHE, CONTINUATION, classifyCodeUnits, foldCodeUnits, SEPARATOR } from './code-units.ts';

/** Sign before and after every word. */
export const EDGE = 0x20;

/** Longer words are read in pieces: no language needs more, and it bounds the cost of hostile text. */
const LONGEST_WORD = 60;

const kinds = classifyCodeUnits();
const folded = foldCodeUnits(kinds);

/**
 * Splits text into words: runs of letters of one writing system, in lower case, between two edges. The arrays are reused for every text, so
 * that reading allocates nothing.
 */
export class WordReader {
  /** The words one after another, as ` word word `: neighbours share the edge between them. */
  readonly units: Uint16Array;
  /** Start of each word (its leading edge) in `units`. */
  readonly starts: Uint32Array;
  /** Number of the writing system of each word, from 0. */
  readonly systems: Uint8Array;
  words = 0;

  private readonly capacity: number;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.units = new Uint16Array(capacity * 2 + 2);
    this.starts = new Uint32Array(capacity + 1);
    this.systems = new Uint8Array(capacity + 1);
  }

  /** Reads a text, or as much of it as fits. */
  read(text: string): void {
    const { units, starts, systems } = this;
    const to = Math.min(text.length, this.capacity);
    let length = 0;
    let words = 0;
    let system = 0;
    let begin = 0;
    for (let index = 0; index < to; index += 1) {
      const unit = text.charCodeAt(index);
      const kind = kinds[unit] as number;
      if (kind === system && kind !== SEPARATOR && length - begin < LONGEST_WORD) {
        // The common case: a further letter of the same word.
        units[length] = folded[unit] as number;
        length += 1;
        continue;
      }
      if (kind === CONTINUATION) {
        const mark = folded[unit] as number;
        if (system !== 0 && mark !== 0 && length - begin < LONGEST_WORD) {
          units[length] = mark;
          length += 1;
        }
        continue;
      }
      if (system !== 0) {
        if (kind === APOSTROPHE) {
          units[length] = 0x27;
          length += 1;
        }
        units[length] = EDGE;
        length += 1;
        system = 0;
      }
      if (kind === SEPARATOR || kind === APOSTROPHE) continue;
      system = kind;
      if (length === 0) {
        units[0] = EDGE;
        length = 1;
      }
      begin = length;
      starts[words] = length - 1;
      systems[words] = kind - 1;
      words += 1;
      units[length] = folded[unit] as number;
      length += 1;
    }
    if (system !== 0) {
      units[length] = EDGE;
      length += 1;
    }
    this.words = words;
    if (words > 0) starts[words] = length - 1;
  }

  /** Number of letters in all words. */
  letters(): number {
    return this.words === 0 ? 0 : (this.starts[this.words] as number) - this.words;
  }
}
