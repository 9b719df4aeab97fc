import { fingerprintOf, indexedWords, searchableOf } from '../search/indexed.ts';
import type { Layout } from '../sql/layout.ts';
import { ftsText, type SearchTables, spacedText } from '../sql/search-dialect.ts';
import type { Database } from './database.ts';

/** The words of a collection's documents, as text and in an FTS5 index. Written in the transaction that writes the document. */
export class WordIndex<T> {
  readonly #db: Database;
  readonly #layout: Layout<T>;
  readonly #tables: SearchTables;

  constructor(db: Database, layout: Layout<T>, tables: SearchTables) {
    this.#db = db;
    this.#layout = layout;
    this.#tables = tables;
  }

  /** Call after the document was written. Unchanged texts cost one lookup: documents change more often than their texts. */
  write(key: string, document: T): void {
    const { words, index } = this.#tables;
    const { table, collection } = this.#layout;
    const sql = `SELECT d.id, w.hash FROM ${table} AS d LEFT JOIN ${words} AS w ON w.id = d.id WHERE d.key = ?`;
    const [id, before] = this.#db.row(sql, [key]) as [number, string | null];
    const searchable = searchableOf(collection, document);
    const hash = searchable ? fingerprintOf(searchable) : null;
    if (hash === before) return;
    if (before !== null) this.#remove(id);
    if (!searchable || hash === null) return;
    const list = indexedWords(searchable);
    this.#db.run(`INSERT INTO ${words} (id, hash, words) VALUES (?, ?, ?)`, [id, hash, spacedText(list)]);
    this.#db.run(`INSERT INTO ${index} (rowid, words) VALUES (?, ?)`, [id, ftsText(searchable.scope, list)]);
  }

  /** Call before a document is deleted; the returned function removes its words afterwards. */
  removal(key: string): () => void {
    const [id] = this.#db.row(`SELECT id FROM ${this.#layout.table} WHERE key = ?`, [key]) ?? [];
    return () => {
      if (typeof id === 'number') this.#remove(id);
    };
  }

  empty(): void {
    const { words, index } = this.#tables;
    this.#db.run(`DELETE FROM ${words}`);
    this.#db.run(`INSERT INTO ${index} (${index}) VALUES ('delete-all')`);
  }

  #remove(id: number): void {
    const { words, index } = this.#tables;
    if (this.#db.run(`DELETE FROM ${words} WHERE id = ?`, [id]) > 0)
      this.#db.run(`DELETE FROM ${index} WHERE rowid = ?`, [id]);
  }
}
