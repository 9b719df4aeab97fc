import { fingerprintOf, indexedWords, type Searchable } from '../search/indexed.ts';
import type { SqlValue } from '../sql/dialect.ts';
import { identifier, type Layout } from '../sql/layout.ts';
import { vectorText } from '../sql/search-dialect.ts';
import type { Connection } from './connection.ts';

/** The searchable texts of a document that was written; undefined if no search can find it. */
export interface WrittenText {
  readonly key: string;
  readonly searchable: Searchable | undefined;
}

/** Limit of one statement, which bounds the memory that both sides need at once. */
const MOST_CHARACTERS = 4_000_000;

/**
 * Updates the words of documents. Call it after the documents were written: a concurrent writer of the same document then waits for this
 * transaction. One query finds the texts that have not changed; it is skipped for new documents. Even a new document may have words
 * already: a node of a release without full text leaves them behind when it deletes a document.
 */
export async function writeWords(
  on: Connection,
  { collection, search }: Layout<never>,
  texts: readonly WrittenText[],
  { areNew }: { readonly areNew: boolean },
): Promise<void> {
  if (!search) return;
  const table = search.words;
  const statement = identifier('put-words', collection.name);
  const known = areNew ? new Map<string, string>() : await hashes(on, table, texts);
  const gone: string[] = [];
  let rows = new Rows();
  for (const { key, searchable } of texts) {
    if (!searchable) {
      if (areNew || known.has(key)) gone.push(key);
      continue;
    }
    const hash = fingerprintOf(searchable);
    if (known.get(key) === hash) continue;
    rows.add(key, hash, vectorText(searchable.scope, indexedWords(searchable)));
    if (rows.characters < MOST_CHARACTERS) continue;
    await rows.upsert(on, table, statement);
    rows = new Rows();
  }
  await rows.upsert(on, table, statement);
  if (gone.length > 0) await removeWords(on, table, gone);
}

export async function removeWords(on: Connection, table: string, keys: readonly string[]): Promise<void> {
  await on.query(`DELETE FROM ${table} WHERE key = ANY($1::text[])`, [keys]);
}

async function hashes(on: Connection, table: string, texts: readonly WrittenText[]): Promise<Map<string, string>> {
  const keys = texts.map(({ key }) => key);
  const { rows } = await on.query(`SELECT key, hash FROM ${table} WHERE key = ANY($1::text[])`, [keys]);
  return new Map(rows.map(([key, hash]) => [String(key), String(hash)]));
}

/** Rows of the words table, sent as columns. */
class Rows {
  readonly #columns: [keys: string[], hashes: string[], vectors: string[]] = [[], [], []];
  characters = 0;

  add(...row: readonly [key: string, hash: string, vector: string]): void {
    for (const [i, column] of this.#columns.entries()) column.push(row[i]!);
    this.characters += row[2].length;
  }

  async upsert(on: Connection, table: string, statement: string): Promise<void> {
    if (this.#columns[0].length === 0) return;
    const sql = `INSERT INTO ${table} (key, hash, words)
      SELECT key, hash, words::tsvector FROM unnest($1::text[], $2::text[], $3::text[]) AS row (key, hash, words)
      ON CONFLICT (key) DO UPDATE SET hash = excluded.hash, words = excluded.words`;
    await on.query(sql, this.#columns as SqlValue[], statement);
  }
}
