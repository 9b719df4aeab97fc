import { readDocument } from '../document.ts';
import { documentDoesNotFit } from '../errors.ts';
import { SQLITE } from '../sql/dialect.ts';
import { documentValues } from '../sql/writes.ts';
import { loadRows, loadTables } from '../typed/captured.ts';
import { tableDefinitions } from '../typed/definitions.ts';
import { TYPED_SQLITE } from '../typed/dialect.ts';
import type { TableDefinition } from '../typed/types.ts';
import type { Collection, DocumentRow, StatePart, WorkRow } from '../types.ts';
import { setValues } from '../values.ts';
import { workColumns } from './capture.ts';
import type { Database } from './database.ts';
import { runSteps } from './run-steps.ts';
import type { Table, Tables } from './table.ts';

const INSERT_CHANGE =
  'INSERT INTO changes (seq, source, kind, subject, outcome, at, data) VALUES (?, ?, ?, ?, ?, ?, ?)';

/** Loads captured state into tables that were emptied before. Columns are recomputed from the documents. */
export class Loader {
  readonly #db: Database;
  readonly #tables: Tables;
  readonly #typed = new Map<string, TableDefinition>();
  #workColumns: string[] | undefined;

  constructor(db: Database, tables: Tables) {
    this.#db = db;
    this.#tables = tables;
  }

  /** `collection` is undefined unless the part holds documents. */
  load(part: StatePart, collection: Collection<never> | undefined): void {
    if (part.of === 'changes') for (const row of part.rows) this.#db.run(INSERT_CHANGE, row);
    else if (part.of === 'work') for (const row of part.rows) this.#insertWork(row);
    else if (part.of === 'rows')
      runSteps(this.#db, loadRows(TYPED_SQLITE, part.table, this.#typed.get(part.table), part.rows));
    else if (collection) this.#insertDocuments(this.#tables.of(collection), part.rows);
    if (part.of === 'documents' && part.collection === tableDefinitions.name) {
      for (const table of runSteps(this.#db, loadTables(TYPED_SQLITE, part.rows))) this.#typed.set(table.name, table);
    }
  }

  #insertDocuments({ layout, sql, words }: Table<never>, rows: readonly DocumentRow[]): void {
    for (const [key, etag, body] of rows) {
      try {
        const document = readDocument(layout.collection, key, etag, body);
        this.#db.run(sql.insert, documentValues(layout, SQLITE, key, etag, body, document));
        for (const [i, set] of layout.sets.entries())
          for (const value of setValues(set.source, document)) this.#db.run(sql.sets[i]!.add, [value, key]);
        words?.write(key, document);
      } catch (error) {
        throw documentDoesNotFit(layout.collection, key, error);
      }
    }
  }

  #insertWork(row: WorkRow): void {
    this.#workColumns ??= workColumns(this.#db);
    const names = this.#workColumns.filter((name) => row[name] !== undefined);
    const places = names.map(() => '?').join(', ');
    const values = names.map((name) => row[name] ?? null);
    this.#db.run(`INSERT INTO work (${names.join(', ')}) VALUES (${places})`, values);
  }
}
