import { deleteAll, type Tx } from '../../../../kernel/store/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../kernel/time/index.ts';
import { settle, workHandler } from '../../../../kernel/work/index.ts';
import { PlatformError } from '../../errors.ts';
import type { PlatformJar } from '../../jar.ts';
import type { QueryResult } from '../../sql/results/collections.ts';
import { resultOf } from '../../sql/results/find.ts';
import { warehouseKey, warehouses } from '../collections.ts';
import { problems, SqlProblem } from '../sql/problem.ts';
import type { Halt } from '../sql/run-statement.ts';
import { actorFor, defaultCatalog } from '../tables/find.ts';
import { Conflict, problemOf } from '../tables/refusals.ts';
import { runSql } from '../tables/run.ts';
import type { Effect } from '../tables/write.ts';
import { touchWarehouse } from '../touch.ts';
import { startWarehouse } from '../transitions.ts';
import { chunkKey, isOver, type Statement, statementChunks, statementKey, statements } from './collections.ts';
import { MOST_INLINE_BYTES } from './request.ts';
import { type Shaped, shaped } from './result.ts';
import { sessionOf } from './session.ts';
import { typedResult } from './set-result.ts';
import { EXPIRE_STATEMENT, RUN_STATEMENT, workId } from './work.ts';

/** Fallback interval; a warehouse that starts running wakes its statements sooner. */
const LOOK_AGAIN_MS = 5000;
/** A waiting statement is cancelled after this time without a request for it. */
const KEPT_UNSEEN_MS = 15 * MINUTE_MS;
const RESULT_KEPT_MS = HOUR_MS;
const STATEMENT_KEPT_MS = 30 * DAY_MS;
const TURNS_BETWEEN_LOOKS = 20;
/** Number of characters of an ended statement that are kept for the history. */
const KEPT_CHARACTERS = 10_000;

/** Called in a transaction: ends the statement, and decreases the load of its warehouse. */
export async function endStatement(tx: Tx, jar: PlatformJar, statement: Statement): Promise<void> {
  const { workspaceId, warehouseId, id } = statement;
  const key = statementKey(workspaceId, id);
  const endedAt = jar.clock.now();
  await touchWarehouse(tx, jar, { workspaceId, warehouseId }, 'end');
  await tx.put(statements, key, { ...statement, text: statement.text.slice(0, KEPT_CHARACTERS), endedAt });
  await tx.schedule(EXPIRE_STATEMENT.at(endedAt + RESULT_KEPT_MS, { key }, workId(EXPIRE_STATEMENT, key)));
  await tx.change({
    source: 'platform',
    kind: 'run',
    subject: `/${workspaceId}/statements/${id}`,
    outcome: statement.state === 'SUCCEEDED' ? 'Succeeded' : 'Failed',
    at: endedAt,
    data: { kind: 'statements', id, state: statement.state },
  });
}

/** The statement once its warehouse runs; otherwise the time of the next check, or undefined if the statement has ended. */
async function begun(tx: Tx, jar: PlatformJar, key: string): Promise<Statement | number | undefined> {
  const statement = (await tx.get(statements, key))?.value;
  if (!statement || isOver(statement)) return undefined;
  const warehouse = (await tx.get(warehouses, warehouseKey(statement.workspaceId, statement.warehouseId)))?.value;
  if (!warehouse || warehouse.state === 'DELETING') {
    const error = { code: 'ABORTED', message: 'The SQL warehouse was deleted.' };
    await endStatement(tx, jar, { ...statement, state: 'FAILED', error });
    return undefined;
  }
  if (warehouse.state !== 'RUNNING') {
    if (jar.clock.now() - (statement.seenAt ?? statement.createdAt) > KEPT_UNSEEN_MS) {
      await endStatement(tx, jar, { ...statement, state: 'CANCELED' });
      return undefined;
    }
    await startWarehouse(tx, jar, warehouse);
    return jar.clock.now() + LOOK_AGAIN_MS;
  }
  const running: Statement = { ...statement, state: 'RUNNING', startedAt: statement.startedAt ?? jar.clock.now() };
  await tx.put(statements, key, running);
  return running;
}

/** A quota may refuse the start of the warehouse. The statement then fails, as there is no caller to refuse. */
async function begunOrRefused(jar: PlatformJar, key: string): ReturnType<typeof begun> {
  try {
    return await jar.store.transact((tx) => begun(tx, jar, key));
  } catch (refusal) {
    if (!(refusal instanceof PlatformError)) throw refusal;
    const error = { code: 'RESOURCE_EXHAUSTED', message: refusal.message };
    await jar.store.transact(async (tx) => {
      const statement = (await tx.get(statements, key))?.value;
      if (statement && !isOver(statement)) await endStatement(tx, jar, { ...statement, state: 'FAILED', error });
    });
    return undefined;
  }
}

export const runStatementWork = workHandler(RUN_STATEMENT, async (item, jar: PlatformJar, halt) => {
  const { key } = item.payload;
  const { store } = jar;
  const statement = await begunOrRefused(jar, key);
  if (typeof statement === 'number') return settle(store, item, async () => statement);
  if (statement) await runToEnd(jar, key, statement, halt);
  await settle(store, item, async () => undefined);
});

/** A statement is run again if another statement changed its table before the write. */
const MOST_ATTEMPTS = 30;

async function runToEnd(jar: PlatformJar, key: string, statement: Statement, halt: AbortSignal): Promise<void> {
  const set = await resultOf(jar.store, statement.workspaceId, { statement: statement.text });
  for (let attempt = 1; ; attempt++) {
    const outcome = await outcomeOf(jar, statement, set, halt, cancelled(jar, key));
    try {
      return await conclude(jar, key, outcome);
    } catch (error) {
      if (!('code' in outcome)) await outcome.discard?.();
      const isConflict = error instanceof Conflict;
      const problem = isConflict ? problems.concurrent(error.table) : problemOf(error);
      if (!problem) throw error;
      if (!isConflict || attempt === MOST_ATTEMPTS) return await conclude(jar, key, failureOf(problem));
    }
  }
}

/** The changes of a statement and its end are one transaction: a crash leaves both or neither. */
async function conclude(jar: PlatformJar, key: string, outcome: Outcome): Promise<void> {
  const isDone = await jar.store.transact(async (tx) => {
    const now = (await tx.get(statements, key))?.value;
    // Cancelled in the meantime.
    if (now?.state !== 'RUNNING') return false;
    if (!('code' in outcome)) await outcome.apply?.(tx);
    await save(tx, jar, now, outcome);
    return true;
  });
  if (!isDone && !('code' in outcome)) await outcome.discard?.();
}

/** Returns true if a running statement was cancelled. Queries the store only every few turns. */
function cancelled({ store }: PlatformJar, key: string): () => Promise<boolean> {
  let turns = 0;
  return async () =>
    ++turns % TURNS_BETWEEN_LOOKS === 0 && (await store.get(statements, key))?.value.state !== 'RUNNING';
}

type Outcome = (Shaped & Omit<Effect, 'result'>) | NonNullable<Statement['error']>;

/** `set`: the result that a test has configured for this text. */
async function outcomeOf(
  jar: PlatformJar,
  statement: Statement,
  set: QueryResult | undefined,
  halt: AbortSignal,
  isCancelled: () => Promise<boolean>,
): Promise<Outcome> {
  if (set?.error !== undefined) return failure(set.error);
  try {
    const stops = async (): Promise<boolean> => halt.aborted || (await isCancelled());
    const { result: given, ...effect } = set ? { result: typedResult(set) } : await effectOf(jar, statement, stops);
    const result = { ...(await shaped(given, statement)), ...effect };
    halt.throwIfAborted();
    if (statement.disposition === 'INLINE' && result.bytes > MOST_INLINE_BYTES)
      return {
        code: 'BAD_REQUEST',
        message: `Inline byte limit exceeded. Statements executed with disposition=INLINE can have a result size of at most ${MOST_INLINE_BYTES} bytes. Please execute the statement with disposition=EXTERNAL_LINKS if you want to download the full result.`,
      };
    return result;
  } catch (error) {
    halt.throwIfAborted();
    if (!(error instanceof SqlProblem)) throw error;
    return failureOf(error);
  }
}

const failureOf = ({ message, sqlState }: SqlProblem) => ({ code: 'BAD_REQUEST', message, sqlState });

/** The statement runs as its creator, with the creator's current permissions. */
async function effectOf(jar: PlatformJar, statement: Statement, halt: Halt): Promise<Effect> {
  const actor = await actorFor(jar, statement.workspaceId, statement.creator);
  if (!actor) throw problems.insufficient('The user who sent the statement does not exist any more.');
  const catalog = statement.catalog === '' ? await defaultCatalog(actor) : statement.catalog;
  const session = sessionOf({ ...statement, catalog }, statement.startedAt ?? statement.createdAt);
  return runSql(statement.text, actor, session, halt);
}

/** The message of a SQL error contains its SQLSTATE. */
function failure(message: string): NonNullable<Statement['error']> {
  const sqlState = /SQLSTATE: (\w{5})/.exec(message)?.[1];
  return { code: 'BAD_REQUEST', message, ...(sqlState !== undefined && { sqlState }) };
}

async function save(tx: Tx, jar: PlatformJar, statement: Statement, outcome: Outcome): Promise<void> {
  if ('code' in outcome) return endStatement(tx, jar, { ...statement, state: 'FAILED', error: outcome });
  const { columns, chunks, isTruncated } = outcome;
  const key = statementKey(statement.workspaceId, statement.id);
  for (const [index, { rows }] of chunks.entries()) await tx.put(statementChunks, chunkKey(key, index), { rows });
  await endStatement(tx, jar, {
    ...statement,
    state: 'SUCCEEDED',
    columns,
    chunks: chunks.map(({ rows, bytes }) => ({ rows: rows.length, bytes })),
    isTruncated,
  });
}

/** Removes the result an hour after the end of a statement, and the statement a month later. */
export const expireStatement = workHandler(EXPIRE_STATEMENT, async (item, jar: PlatformJar) => {
  const { key } = item.payload;
  await deleteAll(jar.store, statementChunks, { prefix: `${key}/` });
  await settle(jar.store, item, async (tx) => {
    const statement = (await tx.get(statements, key))?.value;
    if (!statement) return undefined;
    const goneAt = (statement.endedAt ?? statement.createdAt) + STATEMENT_KEPT_MS;
    if (goneAt <= jar.clock.now()) {
      await tx.delete(statements, key);
      return undefined;
    }
    if (statement.state === 'SUCCEEDED') await tx.put(statements, key, { ...statement, state: 'CLOSED' });
    return goneAt;
  });
});

export const STATEMENT_HANDLERS = [runStatementWork, expireStatement] as const;
