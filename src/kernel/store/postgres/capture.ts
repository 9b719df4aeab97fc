import { readDocument } from '../document.ts';
import { WORK_STATE } from '../migrations.ts';
import { POSTGRES } from '../sql/dialect.ts';
import { type Layout, layoutOf } from '../sql/layout.ts';
import { capturedRow } from '../typed/captured.ts';
import { tableDefinitions } from '../typed/definitions.ts';
import { DEFINITIONS_LOCK, TYPED_POSTGRES } from '../typed/dialect.ts';
import { selectRows } from '../typed/reads.ts';
import type { TableDefinition } from '../typed/types.ts';
import type { ChangeRow, DocumentRow, StatePart, WorkRow } from '../types.ts';
import { type Connection, clientOptions, connectionOf, loadDriver } from './connection.ts';
import type { Connections } from './connections.ts';

/** The target size of one FETCH from the cursor. The number of rows follows from the size of the previous ones. */
const PART_CHARACTERS = 256 * 1024;
const FIRST_ROWS = 16;
const MOST_ROWS = 500;

const CHANGES =
  'SELECT seq::float8, source, kind, subject, outcome, at, data FROM cloudjar.changes AS c ORDER BY c.seq';
const LEASE_COLUMNS = new Set(['lease', 'lease_until']);
const WORK_COLUMNS = `
  SELECT column_name::text, data_type::text FROM information_schema.columns
  WHERE table_schema = 'cloudjar' AND table_name = 'work' ORDER BY ordinal_position`;

/**
 * Reads everything on a connection of its own, because the pool's connections serve other calls meanwhile. All statements of a REPEATABLE
 * READ transaction see the same snapshot.
 */
export async function* captureState(
  { url, reach }: Connections,
  layouts: readonly Layout<never>[],
): AsyncGenerator<StatePart> {
  reach.check();
  const pg = await loadDriver();
  const client = new pg.Client({ ...clientOptions(url), stream: reach.stream });
  // A broken connection fails the query that waits on it; the event adds nothing.
  client.on('error', () => {});
  await client.connect();
  try {
    const on = connectionOf(client, reach, { patient: true });
    const typed = await beginWithTables(on);
    for (const { table, collection } of layouts) {
      const sql = `SELECT key, etag, body FROM ${table} ORDER BY key`;
      for await (const rows of inParts<DocumentRow>(on, sql)) {
        yield { of: 'documents', collection: collection.name, rows };
      }
    }
    for (const table of typed) {
      const sql = `${selectRows(TYPED_POSTGRES, table)} ORDER BY n`;
      for await (const rows of inParts(on, sql)) {
        yield { of: 'rows', table: table.name, rows: rows.map((row) => capturedRow(table, row)) };
      }
    }
    const columns = await workColumns(on);
    const selected = columns.map(({ name, type }) => (type === 'bigint' ? `${name}::float8` : name)).join(', ');
    const work = `SELECT ${selected} FROM cloudjar.work AS w ORDER BY w.id`;
    for await (const rows of inParts<(string | number | null)[]>(on, work)) {
      yield { of: 'work', rows: rows.map((row) => workRow(columns, row)) };
    }
    for await (const rows of inParts<ChangeRow>(on, CHANGES)) yield { of: 'changes', rows };
    await on.query('COMMIT');
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Begins the transaction, and keeps typed tables from being changed or dropped until it ends: a table that is rewritten after the snapshot
 * was taken would appear empty. Writers of definitions share a lock, so none of them runs meanwhile.
 */
async function beginWithTables(on: Connection): Promise<TableDefinition[]> {
  await on.query(`SELECT pg_advisory_lock(${DEFINITIONS_LOCK})`);
  try {
    await on.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { table } = layoutOf(tableDefinitions, POSTGRES);
    const { rows } = await on.query<DocumentRow>(`SELECT key, etag, body FROM ${table} ORDER BY key`);
    const typed = rows.map(([key, etag, body]) => readDocument(tableDefinitions, key, etag, body));
    const names = typed.map(({ name }) => TYPED_POSTGRES.table(name));
    if (names.length > 0) await on.query(`LOCK TABLE ${names.join(', ')} IN ACCESS SHARE MODE`);
    return typed;
  } finally {
    await on.query(`SELECT pg_advisory_unlock(${DEFINITIONS_LOCK})`).catch(() => {});
  }
}

export interface WorkColumn {
  readonly name: string;
  readonly type: string;
}

/** Read from the catalog, so that a new column needs no change here. */
export async function workColumns(on: Connection): Promise<WorkColumn[]> {
  const { rows } = await on.query(WORK_COLUMNS);
  return rows
    .map(([name, type]) => ({ name: String(name), type: String(type) }))
    .filter(({ name }) => !LEASE_COLUMNS.has(name));
}

function workRow(columns: readonly WorkColumn[], values: readonly (string | number | null)[]): WorkRow {
  const row: Record<string, string | number | null> = {};
  for (const [i, { name }] of columns.entries()) row[name] = values[i] ?? null;
  if (row.state === WORK_STATE.leased) row.state = WORK_STATE.waiting;
  return row;
}

async function* inParts<Row extends readonly unknown[]>(on: Connection, sql: string): AsyncGenerator<Row[]> {
  await on.query(`DECLARE part NO SCROLL CURSOR FOR ${sql}`);
  for (let wanted = FIRST_ROWS; ; ) {
    const { rows } = await on.query<Row>(`FETCH ${wanted} FROM part`);
    if (rows.length > 0) yield rows;
    if (rows.length < wanted) break;
    let characters = 0;
    for (const row of rows) for (const value of row) if (typeof value === 'string') characters += value.length;
    const fitting = Math.floor((PART_CHARACTERS * rows.length) / Math.max(characters, 1));
    wanted = Math.max(1, Math.min(fitting, wanted * 4, MOST_ROWS));
  }
  await on.query('CLOSE part');
}
