import { ApiError, ok } from '../../../kernel/http/index.ts';
import type { Use } from '../../../kernel/limits/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { datasetNotFound, findDataset, tableOf } from '../access/find.ts';
import { checkRequestLimit } from '../access/request-limits.ts';
import { takeRates } from '../access/throttle.ts';
import { recordChange, tableSubject } from '../changes.ts';
import { tableKey, tableStates } from '../collections.ts';
import { DATASETS_FAMILY } from '../family.ts';
import { type DatasetsCall, routeCode } from '../jar.ts';
import {
  LARGE_TABLE_ROWS,
  LARGEST_STREAMED_BYTES,
  PENDING_PUSHES,
  PUSHES_PER_HOUR,
  PUSHES_PER_MINUTE,
  PUSHES_PER_SECOND,
  ROWS_PER_HOUR,
  ROWS_PER_REQUEST,
  STREAMED_PER_SECOND,
} from '../limits.ts';
import { Mistakes, oneMistake } from '../model/mistakes.ts';
import { RowsBody } from '../model/schema.ts';
import type { Dataset, Table } from '../model/types.ts';
import { bytesOf, jsonOf } from '../read-body.ts';
import { append, type Push } from './append.ts';
import { convertExactly } from './converters.ts';
import { isAcknowledged, isRepeated, readSequence } from './sequences.ts';
import { shownLive } from './shown-live.ts';

/** How often a push is converted again because the schema changed meanwhile. */
const MOST_ATTEMPTS = 5;
/** Up to this many rows are parsed and counted even if the limit is lower. */
const PARSED_ROWS = 10_000;

export const postRows = routeCode(['dataset', 'table'], {
  admit: admitPush,
  jsonInBytes: RowsBody,
  async handle(call) {
    const sent = await readRows(call);
    const sequence = readSequence(call);
    for (let attempt = 1; ; attempt++) {
      const { dataset, table } = await find(call, attempt > 1);
      if (attempt === 1 && sequence && (await isAcknowledged(call, dataset, table, sequence))) return ok(undefined);
      const rows = convertExactly(call.jar.converters.of(table), sent.rows, sent.exact);
      const push: Push = { dataset, table, rows, bytes: bytesOf(call), ...(sequence && { sequence }) };
      if (attempt === 1) await takeHour(call, push);
      if (await store(call, push, sent.rows)) return ok(undefined);
      if (attempt >= MOST_ATTEMPTS) throw new Error('the schema of the table changed during every attempt');
    }
  },
});

async function find(call: DatasetsCall, isFresh = false): Promise<{ dataset: Dataset; table: Table }> {
  const { dataset: id = '', table: name = '' } = call.params;
  const dataset = await findDataset(call, id, isFresh);
  return { dataset, table: tableOf(dataset, name) };
}

/** Checks the rate and concurrency limits before the body is read. */
async function admitPush(call: DatasetsCall): Promise<void> {
  const { dataset, table } = await find(call);
  const state = await call.jar.store.get(tableStates, tableKey(dataset.id, table.storage));
  const isLarge = (state?.value.rows ?? 0) >= LARGE_TABLE_ROWS;
  const scope = [dataset.id];
  const uses: Use[] = [
    { limit: isLarge ? PUSHES_PER_HOUR : PUSHES_PER_MINUTE, scope },
    { limit: PUSHES_PER_SECOND, scope },
    { limit: PENDING_PUSHES, scope },
    ...(dataset.mode === 'Push' ? [] : [{ limit: STREAMED_PER_SECOND, scope }]),
  ];
  const { release } = await takeRates(call, uses);
  if (!release) return;
  if (call.signal.aborted) release();
  else call.signal.addEventListener('abort', release, { once: true });
}

/** The parsed rows, and on request the same rows with all digits of their numbers. */
interface Sent {
  readonly rows: readonly unknown[];
  exact(): readonly unknown[];
}

async function readRows(call: DatasetsCall): Promise<Sent> {
  const { dataset, table } = await find(call);
  if (dataset.mode === 'Streaming' && bytesOf(call) > LARGEST_STREAMED_BYTES) {
    const message = `A request to a streaming dataset has at most ${LARGEST_STREAMED_BYTES} bytes; this one has ${bytesOf(call)}.`;
    throw new ApiError(413, DATASETS_FAMILY.codes.bodyTooLarge, message);
  }
  const { mode, maximum } = call.jar.limits.overrides.of(ROWS_PER_REQUEST, [call.requestId]);
  // Bounded to the names that rows of this table can have, because the parser needs about a microsecond for each new name.
  const mostRows = mode === 'enforced' ? Math.max(maximum, PARSED_ROWS) : Number.POSITIVE_INFINITY;
  const names = mostRows * (table.columns.length + 1);
  const most = `A request to this table has at most ${maximum} rows of ${table.columns.length} columns`;
  const json = jsonOf(call, { names, values: 2 * names, depth: 10 }, `${most}: the limit '${ROWS_PER_REQUEST.name}'.`);
  const rows = rowsIn(json.value);
  const mistakes = new Mistakes();
  await checkRequestLimit(call, ROWS_PER_REQUEST, rows.length, 'rows', mistakes);
  mistakes.throwAny();
  return { rows, exact: () => rowsIn(json.exact()) };
}

/**
 * Rows count towards the hourly limit once all of them match their columns, even if the table then rejects them because of keys or room.
 */
async function takeHour(call: DatasetsCall, { dataset, rows }: Push): Promise<void> {
  if (rows.length > 0) await takeRates(call, [{ limit: ROWS_PER_HOUR, scope: [dataset.id], cost: rows.length }]);
}

/** Some clients send `Rows`. */
function rowsIn(body: unknown): readonly unknown[] {
  if (!isObject(body)) throw oneMistake('', "The request body must be an object with 'rows'.");
  const { rows, Rows = rows, ...others } = body;
  const [unknown] = Object.keys(others);
  if (rows !== undefined && Rows !== rows) throw oneMistake('Rows', "The body has both 'rows' and 'Rows'; use 'rows'.");
  if (unknown !== undefined)
    throw oneMistake(unknown.slice(0, 100), `'${unknown.slice(0, 100)}' is not a property here; use 'rows'.`);
  if (!Array.isArray(Rows)) throw oneMistake('rows', "'rows' must be a list of rows.");
  return Rows;
}

/** Returns false if the schema has changed since the rows were converted. */
async function store(call: DatasetsCall, push: Push, sent: readonly unknown[]): Promise<boolean> {
  const { jar } = call;
  const { dataset, table, sequence } = push;
  const settings = await jar.settings.current();
  return jar.store.transact(async (tx) => {
    const state = (await tx.get(tableStates, tableKey(dataset.id, table.storage)))?.value;
    if (!state) throw datasetNotFound(dataset.id);
    if (state.schema !== table.schema) return false;
    if (sequence && isRepeated(state, sequence)) return true;
    await append(tx, jar, settings, state, push);
    await recordRows(tx, jar, push, sent);
    return true;
  });
}

/** One change record for all rows of a request. For a streaming dataset it contains the rows, unless they are too large to stream. */
export function recordRows(tx: Tx, jar: Pick<Jar, 'clock'>, push: Push, sent: readonly unknown[]): Promise<void> {
  const { dataset, table, rows, bytes } = push;
  const isStreamed = dataset.mode !== 'Push' && bytes <= LARGEST_STREAMED_BYTES;
  const data = {
    tenantId: dataset.tenantId,
    dataset: dataset.id,
    table: table.name,
    count: rows.length,
    bytes,
    ...(isStreamed && { rows: shownLive(table, rows, sent) }),
  };
  return recordChange(tx, jar, { kind: 'rows', subject: tableSubject(dataset.id, table.name), data });
}
