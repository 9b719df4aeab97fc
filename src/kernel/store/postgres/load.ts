import { refuseLoad } from '../errors.ts';
import type { SqlValue } from '../sql/dialect.ts';
import { loadRows, loadTables } from '../typed/captured.ts';
import { tableDefinitions } from '../typed/definitions.ts';
import { TYPED_POSTGRES } from '../typed/dialect.ts';
import type { TableDefinition } from '../typed/types.ts';
import type { ChangeRow, Collection, StatePart, WorkRow } from '../types.ts';
import { type WorkColumn, workColumns } from './capture.ts';
import { HOLD_FEED } from './changes.ts';
import type { Connection } from './connection.ts';
import { runSteps } from './run-steps.ts';
import { insertDocuments } from './schema.ts';
import { forgetStale } from './stale.ts';
import type { Tables } from './table.ts';

const CHANGE_TYPES = ['bigint[]', 'text[]', 'text[]', 'text[]', 'text[]', 'float8[]', 'text[]'];
/** Numbering continues after the greatest number ever used, so that an old cursor sorts before all new records. */
const raise = (sequence: string) =>
  `SELECT setval('cloudjar.${sequence}', greatest(last_value, $1::bigint)) FROM cloudjar.${sequence}`;

/** Loads captured state into tables that were emptied before, with one statement per table for each part. */
export class Loader {
  readonly #on: Connection;
  readonly #tables: Tables;
  readonly #typed = new Map<string, TableDefinition>();
  #workColumns: WorkColumn[] | undefined;
  #feedHeld = false;

  constructor(on: Connection, tables: Tables) {
    this.#on = on;
    this.#tables = tables;
  }

  /** `collection` is undefined unless the part holds documents. */
  async load(part: StatePart, collection: Collection<never> | undefined): Promise<void> {
    if (part.rows.length === 0) return;
    if (part.of === 'changes') return this.#insertChanges(part.rows);
    if (part.of === 'work') return this.#insertWork(part.rows);
    if (part.of === 'rows')
      return runSteps(this.#on, loadRows(TYPED_POSTGRES, part.table, this.#typed.get(part.table), part.rows));
    if (!collection) throw refuseLoad(part.collection, 'it has no table');
    const { layout } = this.#tables.of(collection);
    await insertDocuments(this.#on, layout, layout.table, part.rows);
    if (collection.name === tableDefinitions.name) {
      for (const table of await runSteps(this.#on, loadTables(TYPED_POSTGRES, part.rows)))
        this.#typed.set(table.name, table);
    }
    // The columns are computed by this release, whatever version the documents have.
    if (collection.version > 1)
      await forgetStale(
        this.#on,
        collection,
        part.rows.map(([key]) => key),
      );
  }

  async #insertChanges(rows: readonly ChangeRow[]): Promise<void> {
    if (!this.#feedHeld) await this.#on.query(HOLD_FEED);
    this.#feedHeld = true;
    const columns = CHANGE_TYPES.map((_, i) => rows.map((row) => row[i] as string | number));
    await this.#insert('changes', ['seq', 'source', 'kind', 'subject', 'outcome', 'at', 'data'], CHANGE_TYPES, columns);
    await this.#on.query(raise('changes_seq'), [rows.at(-1)![0]]);
  }

  async #insertWork(rows: readonly WorkRow[]): Promise<void> {
    this.#workColumns ??= await workColumns(this.#on);
    const given = this.#workColumns.filter(({ name }) => rows[0]![name] !== undefined);
    const columns = given.map(({ name }) => rows.map((row) => row[name] ?? null));
    const names = given.map(({ name }) => name);
    await this.#insert(
      'work',
      names,
      given.map(({ type }) => `${type}[]`),
      columns,
    );
    const order = rows.map((row) => Number(row.seq ?? 0));
    await this.#on.query(raise('work_seq'), [order.reduce((a, b) => Math.max(a, b), 0)]);
  }

  async #insert(table: string, names: string[], types: string[], columns: readonly (readonly unknown[])[]) {
    const arrays = types.map((type, i) => `$${i + 1}::${type}`).join(', ');
    const sql = `INSERT INTO cloudjar.${table} (${names.join(', ')}) SELECT * FROM unnest(${arrays})`;
    await this.#on.query(sql, columns as SqlValue[]);
  }
}
