import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { ApiError, ok } from '../../../kernel/http/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { type TableState, tableKey, tableStates } from '../collections.ts';
import { controlErrors } from '../control/errors.ts';
import { type DatasetsJar, routeCode } from '../jar.ts';
import { append, type Push } from '../rows/append.ts';
import { clearRows } from '../rows/clear.ts';
import { recordRows } from '../rows/push.ts';
import { bulkErrors } from './errors.ts';
import { type FoundTable, findAnyTable } from './find.ts';
import { asRowMistake } from './mistake-in-row.ts';
import { type ReadBatch, readBatch } from './read-batch.ts';

const Count = Type.Integer();

const ImportView = Type.Object({
  /** Rows of this request. */
  stored: Count,
  /** Rows that `replace` removed. */
  removed: Count,
  /** Rows of the table by now, of which a retention policy may have removed some. */
  rows: Count,
  /** Rows that ever came, by which a client that missed an answer finds out whether its rows are there. */
  pushedRows: Count,
});

/** Rows in bulk: without the limits of pushes per minute and hour, which are those of the vendor's API, but within the rows that a table may have. */
export const importRows = routeCode(['dataset', 'table'], {
  query: Type.Object({ replace: Type.Optional(Type.Boolean()) }),
  responses: { 200: ImportView },
  async handle({ jar, params, query, body, headers }) {
    const found = await findAnyTable(jar, params.dataset, params.table);
    const { table } = found;
    refuseEncoding(headers['content-encoding']);
    if (!(body instanceof Readable)) throw bulkErrors.NoRows();
    let rows: ReadBatch['rows'] = [];
    try {
      const batch = await readBatch(body, table.columns.length, jar.converters.of(table));
      rows = batch.rows;
      return ok(await jar.store.transact((tx) => store(tx, jar, found, batch, query.replace === true)));
    } catch (error) {
      throw asRowMistake(error, table, rows);
    }
  },
});

async function store(tx: Tx, jar: DatasetsJar, { dataset, table }: FoundTable, batch: ReadBatch, replace: boolean) {
  const settings = await jar.settings.within(tx);
  const state = (await tx.get(tableStates, tableKey(dataset.id, table.storage)))?.value;
  if (!state) throw controlErrors.DatasetNotFound({ id: dataset.id });
  // What was sent is not kept, so that it cannot be converted again as a push is.
  if (state.schema !== table.schema) throw bulkErrors.SchemaChanged();
  const before: TableState = replace ? await clearRows(tx, jar, dataset, state) : state;
  const { rows, bytes, sent } = batch;
  const push: Push = { dataset, table, rows, bytes };
  const after = await append(tx, jar, settings, before, push);
  await recordRows(tx, jar, push, sent);
  return {
    stored: rows.length,
    removed: state.rows - before.rows,
    rows: after.rows,
    pushedRows: after.pushed.rows,
  };
}

function refuseEncoding(encoding: string | string[] | undefined): void {
  if (encoding === undefined || encoding === 'identity') return;
  throw new ApiError(415, 'UnsupportedMediaType', 'Rows are read as they are; send them without a content encoding.');
}
