import { storedCell } from './cells.ts';
import { foldText } from './fold.ts';
import type { KnownColumn, LearnedColumn, Spelled } from './spelling-cache.ts';
import { type ColumnTexts, isSpelled } from './spellings.ts';
import type { Cell, ColumnDefinition } from './types.ts';

interface Fresh {
  readonly key: string;
  text: string;
}

/**
 * The texts of one column of a batch. Most were sent before and cost one lookup in the cache; the spellings of the others are read from the
 * store.
 */
export class TextColumn implements ColumnTexts {
  readonly definition: ColumnDefinition;
  readonly values: Cell[];
  readonly keys: Cell[];
  readonly firsts = new Map<string, string>();
  overflown: boolean;
  /** Texts that are not in the cache, as sent, and the rows that have them. */
  readonly #fresh = new Map<Cell, Fresh>();
  readonly #open: number[] = [];

  constructor(
    definition: ColumnDefinition,
    rows: readonly (readonly Cell[])[],
    position: number,
    known: KnownColumn | undefined,
  ) {
    this.definition = definition;
    this.overflown = known?.overflown ?? false;
    this.values = new Array<Cell>(rows.length);
    this.keys = new Array<Cell>(rows.length);
    for (let i = 0; i < rows.length; i++) {
      const cell = rows[i]![position]!;
      const spelled = known?.texts.get(cell);
      if (spelled) {
        this.values[i] = spelled.text;
        this.keys[i] = spelled.key;
      } else if (cell === null) {
        this.values[i] = null;
        this.keys[i] = null;
      } else if (this.overflown) {
        const text = String(storedCell(definition, i, cell));
        this.values[i] = text;
        this.keys[i] = foldText(text);
      } else this.#add(i, cell);
    }
  }

  /** True if the cache has all texts. */
  get isKnown(): boolean {
    return this.#open.length === 0;
  }

  get column(): string {
    return this.definition.name;
  }

  /** Applies the spellings that were found for `firsts`. */
  learn(): LearnedColumn {
    for (const fresh of this.#fresh.values()) fresh.text = this.firsts.get(fresh.key) ?? fresh.text;
    for (const i of this.#open) this.values[i] = this.#fresh.get(this.values[i]!)!.text;
    return this.overflown ? { column: this.column, texts: new Map(), overflown: true } : this.#learned();
  }

  #add(i: number, cell: Exclude<Cell, null>): void {
    let fresh = this.#fresh.get(cell);
    if (!fresh) {
      const text = String(storedCell(this.definition, i, cell));
      fresh = { key: foldText(text), text };
      this.#fresh.set(cell, fresh);
      if (isSpelled(fresh.key) && !this.firsts.has(fresh.key)) this.firsts.set(fresh.key, text);
    }
    // The text as sent, until `learn` replaces it by its spelling.
    this.values[i] = cell;
    this.keys[i] = fresh.key;
    this.#open.push(i);
  }

  #learned(): LearnedColumn {
    const texts = new Map<Cell, Spelled>();
    for (const [sent, fresh] of this.#fresh) {
      // Trailing spaces are not part of the key: a short key may belong to a text of thousands of characters, which is too long to cache.
      if (isSpelled(fresh.key) && isSpelled(String(sent)) && isSpelled(fresh.text)) texts.set(sent, fresh);
    }
    return { column: this.column, texts, overflown: false };
  }
}
