import type { Jar } from '../../../kernel/service/index.ts';
import { DuplicateValueError, type Tx, UnfitValueError } from '../../../kernel/store/index.ts';
import { type Batch, type TableState, tableKey, tableStates } from '../collections.ts';
import { errors } from '../errors.ts';
import { ROWS_PER_TABLE } from '../limits.ts';
import { oneMistake } from '../model/mistakes.ts';
import type { Dataset, Table } from '../model/types.ts';
import type { Settings } from '../settings-table.ts';
import { EXPIRE_ROWS, expireId } from '../work.ts';
import type { Row } from './converters.ts';
import { shownCell } from './shown.ts';

/** The parts of the jar needed to store rows. While a jar is being seeded, the clock differs from the jar's clock. */
export interface StoringJar extends Pick<Jar, 'limits'> {
  readonly clock: { now(): number };
}

/** Rows to append to a table. */
export interface Push {
  readonly dataset: Dataset;
  readonly table: Table;
  readonly rows: readonly Row[];
  /** Size in the request. */
  readonly bytes: number;
  /** Client id and sequence number of the request, if the client numbers its requests. */
  readonly sequence?: { readonly client: string; readonly number: number };
}

/** Rows of a streaming table that arrive in the same minute expire together. */
const BATCH_MS = 60_000;

/** Appends rows to a table in the caller's transaction; all of them, or none if it throws. Returns the new state of the table. */
export async function append(
  tx: Tx,
  jar: StoringJar,
  settings: Settings,
  state: TableState,
  push: Push,
): Promise<TableState> {
  const { dataset, table, rows, bytes, sequence } = push;
  const now = jar.clock.now();
  if (keepsAll(dataset)) await takeRoom(tx, jar, state, push);
  if (rows.length > 0) {
    try {
      await tx.tables.append(state.storage, rows);
    } catch (error) {
      throw refusal(error, table);
    }
  }
  const held = state.rows + rows.length;
  const kept = await retain(tx, settings, dataset, state.storage, held);
  const { pushed, sequences } = state;
  const next: TableState = {
    ...state,
    rows: kept,
    pushed: { requests: pushed.requests + 1, rows: pushed.rows + rows.length, bytes: pushed.bytes + bytes },
    lastPushAt: now,
    sequences: sequence ? { ...sequences, [sequence.client]: sequence.number } : sequences,
    ...(dataset.mode === 'Streaming' && {
      batches: withoutOldest(withBatch(state.batches ?? [], { at: now, rows: rows.length }), held - kept),
    }),
  };
  const key = tableKey(dataset.id, state.storage);
  await tx.put(tableStates, key, next);
  if (dataset.mode === 'Streaming')
    await tx.wake(EXPIRE_ROWS.at(now + settings.streamingRetention, { table: key }, expireId(key)));
  return next;
}

/** True if rows are kept until a client deletes them. */
export const keepsAll = ({ retention, mode }: Pick<Dataset, 'retention' | 'mode'>): boolean =>
  retention === 'None' && mode !== 'Streaming';

async function takeRoom(tx: Tx, jar: StoringJar, state: TableState, { dataset, table, rows }: Push): Promise<void> {
  const count = rows.length;
  const quota = { limit: ROWS_PER_TABLE, scope: [dataset.id, table.name], count, actual: async () => state.rows };
  const { allowed, maximum, current } = await jar.limits.takeQuota(tx, quota);
  if (!allowed) throw errors.RowLimitExceeded({ maximum, current, count });
}

/** Removes the oldest rows of a table that exceeds its retention limit. Returns the number of rows left. */
async function retain(tx: Tx, settings: Settings, { retention }: Dataset, storage: string, rows: number) {
  const { basicFifoRows, basicFifoSlack } = settings;
  if (retention !== 'basicFIFO' || rows <= basicFifoRows + basicFifoSlack) return rows;
  await tx.tables.removeOldest(storage, rows - basicFifoRows);
  return basicFifoRows;
}

function withBatch(batches: readonly Batch[], batch: Batch): readonly Batch[] {
  const last = batches.at(-1);
  if (!last || Math.floor(last.at / BATCH_MS) !== Math.floor(batch.at / BATCH_MS)) return [...batches, batch];
  // Takes the later arrival time, so that no row expires too early.
  return [...batches.slice(0, -1), { at: batch.at, rows: last.rows + batch.rows }];
}

/** Removes the oldest `count` rows from the batches after a retention policy has removed those rows. */
function withoutOldest(batches: readonly Batch[], count: number): readonly Batch[] {
  let left = count;
  return batches.flatMap((batch) => {
    const removed = Math.min(left, batch.rows);
    left -= removed;
    if (removed === 0) return [batch];
    return removed === batch.rows ? [] : [{ ...batch, rows: batch.rows - removed }];
  });
}

/** Translates errors of the typed table to the names of the model. */
function refusal(error: unknown, { name, columns }: Table): unknown {
  if (error instanceof DuplicateValueError) {
    const column = columns.find(({ storage }) => storage === error.column);
    const place = `the column '${column?.name}' of the table '${name}', the one side of a relationship`;
    const reason =
      error.value === null || !column
        ? `Every row needs a value in ${place}, but one row has none`
        : `The value ${shownCell(column.type, error.value)} would occur more than once in ${place}, whose values must be unique`;
    return oneMistake(`rows.${column?.name}`, `${reason}.`, error);
  }
  if (error instanceof UnfitValueError) {
    const column = columns.find(({ storage }) => storage === error.column);
    const message = `Row ${error.row + 1}, column '${column?.name}': the value ${error.reason}.`;
    return oneMistake(`rows[${error.row}].${column?.name}`, message);
  }
  return error;
}
