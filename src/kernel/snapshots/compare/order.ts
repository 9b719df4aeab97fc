import { tableDefinitions } from '../../store/typed/definitions.ts';
import { changeRecords, workItems } from '../../store/views.ts';
import { compareText } from '../../values/compare.ts';
import type { Line } from '../content.ts';

/**
 * Everything in a snapshot has a place: a collection and a key. Rows of a typed table, due work and change records have the names of their
 * views, or of the table.
 */
export interface Place {
  readonly collection: string;
  /** Rows and change records are numbered. */
  readonly key: string | number;
}

export const WORK = workItems.name;
export const CHANGES = changeRecords.name;
const ROWS = `${tableDefinitions.name}/`;

export const isRows = (collection: string): boolean => collection.startsWith(ROWS);
export const tableOf = (collection: string): string => collection.slice(ROWS.length);

export function placeOf(line: Line): Place {
  if (line.of === 'document') return line;
  if (line.of === 'row') return { collection: ROWS + line.table, key: line.row[0] };
  if (line.of === 'work') return { collection: WORK, key: String(line.row.id) };
  return { collection: CHANGES, key: line.row[0] };
}

const CURSOR_DIGITS = 19;

/** The key as lists show it; that of a change record is its cursor. */
export const keyText = ({ collection, key }: Place): string =>
  collection === CHANGES ? String(key).padStart(CURSOR_DIGITS, '0') : String(key);

/** The order in which two contents are read side by side: documents by collection and key, then rows, due work and change records. */
export class PlaceOrder {
  readonly #ranks: ReadonlyMap<string, number>;

  constructor(collections: readonly string[]) {
    this.#ranks = new Map(collections.map((name, rank) => [name, rank]));
  }

  compare(a: Place, b: Place): number {
    if (a.collection !== b.collection) {
      return this.#rankOf(a.collection) - this.#rankOf(b.collection) || compareText(a.collection, b.collection);
    }
    if (typeof a.key === 'number' && typeof b.key === 'number') return a.key - b.key;
    return compareBytes(String(a.key), String(b.key));
  }

  #rankOf(collection: string): number {
    if (isRows(collection)) return this.#ranks.size + 1;
    if (collection === WORK) return this.#ranks.size + 2;
    if (collection === CHANGES) return this.#ranks.size + 3;
    return this.#ranks.get(collection) ?? this.#ranks.size;
  }
}

/**
 * Merges the orders of collections of two contents. Releases can order collections differently; the result is then undefined, and one of
 * the contents has to be read in the order of the other.
 */
export function mergedOrder(one: readonly string[], other: readonly string[]): string[] | undefined {
  const inOne = new Set(one);
  const inOther = new Set(other);
  const merged: string[] = [];
  let i = 0;
  let j = 0;
  while (i < one.length || j < other.length) {
    const a = one[i];
    const b = other[j];
    if (a !== undefined && !inOther.has(a)) i += 1;
    else if (b !== undefined && !inOne.has(b)) {
      j += 1;
      merged.push(b);
      continue;
    } else if (a === b) {
      i += 1;
      j += 1;
    } else return undefined;
    merged.push(a as string);
  }
  return merged;
}

const SURROGATE = /[\ud800-\udfff]/;

/** The order of UTF-8, as in the store. It differs from that of strings only for characters beyond U+FFFF. */
function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.from(a).compare(Buffer.from(b));
  return a < b ? -1 : 1;
}
