import { nextTurn } from '../../time/timers.ts';
import { readDocument } from '../document.ts';
import { WORK_STATE } from '../migrations.ts';
import { SQLITE } from '../sql/dialect.ts';
import { type Layout, layoutOf } from '../sql/layout.ts';
import { capturedRow } from '../typed/captured.ts';
import { tableDefinitions } from '../typed/definitions.ts';
import { TYPED_SQLITE } from '../typed/dialect.ts';
import { selectRows } from '../typed/reads.ts';
import type { TableDefinition } from '../typed/types.ts';
import type { ChangeRow, DocumentRow, StatePart, WorkRow } from '../types.ts';
import type { Database } from './database.ts';

/** A part ends at this many characters or rows, so that other tasks get the event loop in between. */
const PART_CHARACTERS = 256 * 1024;
const PART_ROWS = 1000;

const CHANGES = 'SELECT seq, source, kind, subject, outcome, at, data FROM changes ORDER BY seq';
const LEASE_COLUMNS = new Set(['lease', 'lease_until']);

/** Reads everything on one connection. It must be in a transaction, so that all reads see the same snapshot. */
export async function* captureState(db: Database, layouts: readonly Layout<never>[]): AsyncGenerator<StatePart> {
  for (const { table, collection } of layouts) {
    const sql = `SELECT key, etag, body FROM ${table} ORDER BY key`;
    for await (const rows of inParts(db.prepare<DocumentRow>(sql).iterate())) {
      yield { of: 'documents', collection: collection.name, rows };
    }
  }
  for (const table of definitionsIn(db)) {
    const sql = `${selectRows(TYPED_SQLITE, table)} ORDER BY n`;
    for await (const rows of inParts(db.iterateWide(sql))) {
      yield { of: 'rows', table: table.name, rows: rows.map((row) => capturedRow(table, row)) };
    }
  }
  const columns = workColumns(db);
  const work = `SELECT ${columns.join(', ')} FROM work ORDER BY id`;
  for await (const rows of inParts(db.prepare<(string | number | null)[]>(work).iterate())) {
    yield { of: 'work', rows: rows.map((row) => workRow(columns, row)) };
  }
  for await (const rows of inParts(db.prepare<ChangeRow>(CHANGES).iterate())) yield { of: 'changes', rows };
}

function definitionsIn(db: Database): TableDefinition[] {
  const { table } = layoutOf(tableDefinitions, SQLITE);
  return db
    .prepare<DocumentRow>(`SELECT key, etag, body FROM ${table} ORDER BY key`)
    .all()
    .map(([key, etag, body]) => readDocument(tableDefinitions, key, etag, body));
}

/** Read from the catalog, so that a new column needs no change here. */
export function workColumns(db: Database): string[] {
  const names = db.rows('PRAGMA table_info(work)').map(([, name]) => String(name));
  return names.filter((name) => !LEASE_COLUMNS.has(name));
}

function workRow(columns: readonly string[], values: readonly (string | number | null)[]): WorkRow {
  const row: Record<string, string | number | null> = {};
  for (const [i, name] of columns.entries()) row[name] = values[i] ?? null;
  if (row.state === WORK_STATE.leased) row.state = WORK_STATE.waiting;
  return row;
}

async function* inParts<Row extends readonly unknown[]>(all: Iterable<Row>): AsyncGenerator<Row[]> {
  let rows: Row[] = [];
  let characters = 0;
  for (const row of all) {
    rows.push(row);
    for (const value of row) if (typeof value === 'string') characters += value.length;
    if (rows.length < PART_ROWS && characters < PART_CHARACTERS) continue;
    yield rows;
    await new Promise<void>(nextTurn);
    rows = [];
    characters = 0;
  }
  if (rows.length > 0) yield rows;
}
