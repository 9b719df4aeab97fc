import type { Column, Row } from './bound.ts';
import { problems } from './problem.ts';

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** Limit per table. */
const MOST_COLUMNS = 1000;

/** The tables named by `WITH`, including those of the outer queries. */
export class Named {
  readonly #own = new Map<string, Table>();
  readonly #outer: Named | undefined;

  constructor(outer?: Named) {
    this.#outer = outer;
  }

  set(name: string, table: Table): void {
    this.#own.set(name.toLowerCase(), table);
  }

  get(name: string): Table | undefined {
    return this.#own.get(name.toLowerCase()) ?? this.#outer?.get(name);
  }
}

export function checkWidth(columns: number): void {
  if (columns > MOST_COLUMNS) throw problems.tooMuch(`a table would have more than ${MOST_COLUMNS} columns`);
}

export function renamed({ columns, rows }: Table, from: string | undefined, names: readonly string[]): Table {
  if (names.length > 0 && names.length !== columns.length)
    throw problems.mismatch(`There are ${names.length} names for ${columns.length} columns.`);
  return { columns: columns.map(({ name, type }, at) => ({ name: names[at] ?? name, type, from })), rows };
}
