/** Beyond this many characters beginnings are not told apart here; what compares whole texts comes after. */
const MOST_HASHED = 512;

/**
 * Things by the beginning (or the end) of a text. A look-up goes over the text once, whatever there is to be found: at every length
 * that somebody has asked for, the hash of what has been passed leads to those who wait for it. It may lead to too many, never to too few.
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
