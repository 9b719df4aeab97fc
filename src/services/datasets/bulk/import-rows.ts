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
  /** Rows stored by this request. */
  stored: Count,
  /** Rows removed by `replace`. */
  removed: Count,
  /** Rows in the table after the request; a retention policy may have removed some. */
  rows: Count,
  /** Rows ever pushed. A client that missed a response uses it to find out if its rows were stored. */
  pushedRows: Count,
});

/** Bulk import. The vendor API's limits on pushes per minute and hour do not apply; the limit on rows per table does. */
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
  // The request body is not kept, so the rows cannot be converted again for the new schema as a push does.
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
  throw new ApiError(
    415,
    'UnsupportedMediaType',
    'A content encoding is not supported here; send the rows without one.',
  );
}
