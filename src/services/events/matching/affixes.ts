/**
 * Affixes are hashed up to this length; longer ones with the same start share a list, and the filters compare the whole text afterwards.
 */
const MOST_HASHED = 512;

/**
 * Items by a prefix (or suffix) of a text. A look-up makes one pass over the text, whatever the number of items: at each length of a
 * registered affix, the hash so far finds the items. Hash collisions may yield too many items, never too few.
 */
export class Affixes<T> {
  readonly #fromEnd: boolean;
  readonly #lists = new Map<number, T[]>();
  /** In ascending order. */
  #lengths: number[] = [];

  constructor(end: 'begins' | 'ends') {
    this.#fromEnd = end === 'ends';
  }

  add(affix: string, item: T): void {
    const length = Math.min(affix.length, MOST_HASHED);
    let hash = SEED;
    for (let i = 0; i < length; i++) hash = mixed(hash, this.#code(affix, i));
    const list = this.#lists.get(hash);
    if (list) list.push(item);
    else this.#lists.set(hash, [item]);
    if (!this.#lengths.includes(length)) this.#lengths = [...this.#lengths, length].sort((a, b) => a - b);
  }

  visit(text: string, visitor: (item: T) => void): void {
    let hash = SEED;
    let passed = 0;
    for (const length of this.#lengths) {
      if (length > text.length) return;
      for (; passed < length; passed++) hash = mixed(hash, this.#code(text, passed));
      this.#lists.get(hash)?.forEach(visitor);
    }
  }

  #code(text: string, i: number): number {
    return text.charCodeAt(this.#fromEnd ? text.length - 1 - i : i);
  }
}

const SEED = 0x811c9dc5 | 0;
const mixed = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);
