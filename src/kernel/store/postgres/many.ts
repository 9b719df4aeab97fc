import { searchableOf } from '../search/indexed.ts';
import { POSTGRES, type SqlValue } from '../sql/dialect.ts';
import { identifier, type Layout } from '../sql/layout.ts';
import { documentValues } from '../sql/writes.ts';
import { setValues } from '../values.ts';
import type { Connection } from './connection.ts';
import { type WrittenText, writeWords } from './word-index.ts';

const ARRAYS = { text: 'text[]', number: 'float8[]', boolean: 'boolean[]' } as const;

/** Limits of one statement, which bound the memory that both sides need at once. */
const MOST_DOCUMENTS = 500;
const MOST_CHARACTERS = 4_000_000;

/** Documents of one collection that are written together: their columns are sent as arrays, so that each table needs one statement. */
export class ManyDocuments<T> {
  readonly #layout: Layout<T>;
  readonly #names: readonly string[];
  readonly #columns: SqlValue[][];
  #characters = 0;
  readonly #texts: WrittenText[] = [];
  readonly #sets: readonly { readonly values: string[]; readonly keys: string[] }[];

  constructor(layout: Layout<T>) {
    this.#layout = layout;
    this.#names = ['etag', 'body', ...layout.columns.map((column) => column.name), 'key'];
    this.#columns = this.#names.map(() => []);
    this.#sets = layout.sets.map(() => ({ values: [], keys: [] }));
  }

  get isEmpty(): boolean {
    return this.#columns[0]!.length === 0;
  }

  get isFull(): boolean {
    return this.#columns[0]!.length >= MOST_DOCUMENTS || this.#characters >= MOST_CHARACTERS;
  }

  /** Throws if a field cannot be computed from the document. */
  add(key: string, etag: string, body: string, document: T): void {
    const values = documentValues(this.#layout, POSTGRES, key, etag, body, document);
    const inSets = this.#layout.sets.map((set) => setValues(set.source, document));
    if (this.#layout.search) this.#texts.push({ key, searchable: searchableOf(this.#layout.collection, document) });
    this.#characters += body.length;
    for (const [i, value] of values.entries()) this.#columns[i]!.push(value);
    for (const [i, { values, keys }] of this.#sets.entries()) {
      for (const value of inSets[i]!) {
        values.push(value);
        keys.push(key);
      }
    }
  }

  /** `table` must not contain any of the keys. */
  async insert(on: Connection, table: string): Promise<void> {
    await on.query(this.#insertion(table), this.#columns as SqlValue[]);
    await this.#insertSets(on);
    await this.#writeWords(on, { areNew: true });
  }

  /** Writes to the collection's own tables and replaces documents with the same keys. Each key must occur once. */
  async upsert(on: Connection): Promise<void> {
    const { table, sets } = this.#layout;
    const others = this.#names.slice(0, -1).map((name) => `${name} = excluded.${name}`);
    const sql = `${this.#insertion(table)} ON CONFLICT (key) DO UPDATE SET ${others.join(', ')}`;
    await on.query(sql, this.#columns as SqlValue[], identifier('put-all', this.#layout.collection.name));
    const keys = this.#columns.at(-1) as string[];
    for (const set of sets) await on.query(`DELETE FROM ${set.table} WHERE key = ANY($1::text[])`, [keys]);
    await this.#insertSets(on);
    await this.#writeWords(on, { areNew: false });
  }

  async #writeWords(on: Connection, options: { readonly areNew: boolean }): Promise<void> {
    await writeWords(on, this.#layout, this.#texts, options);
  }

  #insertion(table: string): string {
    const types = ['text[]', 'text[]', ...this.#layout.columns.map((column) => ARRAYS[column.type]), 'text[]'];
    const arrays = types.map((type, i) => `$${i + 1}::${type}`);
    return `INSERT INTO ${table} (${this.#names.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})`;
  }

  async #insertSets(on: Connection): Promise<void> {
    for (const [i, { table }] of this.#layout.sets.entries()) {
      const { values, keys } = this.#sets[i]!;
      if (keys.length === 0) continue;
      await on.query(`INSERT INTO ${table} (value, key) SELECT * FROM unnest($1::text[], $2::text[])`, [values, keys]);
    }
  }
}
