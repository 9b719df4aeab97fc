import { decodeSkipToken, ok } from '../../../../kernel/http/index.ts';
import { uuid } from '../../../../kernel/ids/index.ts';
import { MINUTE_MS, pause, processTime } from '../../../../kernel/time/index.ts';
import { isAdminOf, nameOf } from '../../access/standing.ts';
import { errors } from '../../errors.ts';
import { callerIdentity, type PlatformCall, routeCode, workspaceIn } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { allows } from '../../permissions/guard.ts';
import { warehouseKey, warehouses } from '../collections.ts';
import { guardedWarehouse } from '../guarded.ts';
import { touchWarehouse } from '../touch.ts';
import { chunkKey, isOver, type Statement, statementChunks, statementKey, statements } from './collections.ts';
import { csvOf } from './csv.ts';
import { readStatement, type StatementRequest } from './request.ts';
import { endStatement } from './run.ts';
import { chunkView, LINKS, type LinkPlace, statementView } from './view.ts';
import { runStatementSoon } from './wake.ts';

const PATH = '/sql/statements';
const LONGEST_PAUSE_MS = 250;
const MOST_BODY_BYTES = 33 * 1024 * 1024;

const notFound = (what: string) => errors.NOT_FOUND({ reason: `${what} was not found.` });

/** The statement, if the caller created it or is an administrator. */
async function statementFor(call: PlatformCall, id: string): Promise<Statement | undefined> {
  const workspace = workspaceIn(call);
  const found = (await call.jar.store.get(statements, statementKey(workspace.id, id.toLowerCase())))?.value;
  const standing = callerIdentity(call);
  return found && (found.creator === standing.principal.id || isAdminOf(standing, workspace)) ? found : undefined;
}

async function findStatement(call: PlatformCall, id: string): Promise<Statement> {
  if (!/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(id))
    throw errors.INVALID_PARAMETER_VALUE({ reason: 'Error while parsing type: statement_id.' });
  const found = await statementFor(call, id);
  if (!found) throw notFound(`The statement ${id}`);
  return found;
}

/** Stores the statement, and schedules its execution for when its warehouse runs. */
function begin(call: PlatformCall, request: StatementRequest): Promise<Statement> {
  const { jar } = call;
  const { waitMs: _wait, cancels: _cancels, ...rest } = request;
  const { principal } = callerIdentity(call);
  const { id: workspaceId } = workspaceIn(call);
  return jar.store.transact(async (tx) => {
    const place = { workspaceId, warehouseId: request.warehouseId };
    const warehouse = (await tx.get(warehouses, warehouseKey(workspaceId, request.warehouseId)))?.value;
    const mayUse = warehouse && warehouse.state !== 'DELETING' && allows(call, guardedWarehouse(warehouse), 'CAN_USE');
    if (!mayUse)
      throw errors.PERMISSION_DENIED({
        reason:
          'You do not have permission to use the SQL Warehouse. Please contact your administrator to grant you access.',
      });
    await touchWarehouse(tx, jar, place, 'begin');
    const statement: Statement = {
      ...rest,
      id: uuid(),
      workspaceId,
      creator: principal.id,
      user: nameOf(principal),
      state: 'PENDING',
      createdAt: jar.clock.now(),
    };
    const key = statementKey(workspaceId, statement.id);
    await tx.put(statements, key, statement);
    await runStatementSoon(tx, jar, key);
    return statement;
  });
}

/** Returns the statement once it has ended or the wait time has passed: by the jar's clock, or in real time if that clock is paused. */
async function waited(call: PlatformCall, begun: Statement, waitMs: number): Promise<Statement> {
  const { clock, store, closing } = call.jar;
  const key = statementKey(begun.workspaceId, begun.id);
  const until = clock.now() + waitMs;
  const started = processTime();
  let statement = begun;
  for (let ms = 2; !isOver(statement) && !closing.aborted; ms = Math.min(ms * 1.5, LONGEST_PAUSE_MS)) {
    if (clock.now() >= until || processTime() - started >= waitMs) break;
    await pause(ms);
    statement = (await store.get(statements, key))?.value ?? statement;
  }
  return statement;
}

function cancelStatement(call: PlatformCall, { workspaceId, id }: Statement): Promise<Statement | undefined> {
  return call.jar.store.transact(async (tx) => {
    const statement = (await tx.get(statements, statementKey(workspaceId, id)))?.value;
    if (!statement || isOver(statement)) return statement;
    const canceled: Statement = { ...statement, state: 'CANCELED' };
    await endStatement(tx, call.jar, canceled);
    return canceled;
  });
}

async function execute(call: PlatformCall): Promise<object> {
  const request = await readStatement(call);
  const begun = await begin(call, request);
  const seen = request.waitMs === 0 ? begun : await waited(call, begun, request.waitMs);
  const statement = request.cancels && !isOver(seen) ? ((await cancelStatement(call, seen)) ?? seen) : seen;
  return statementView(call, statement);
}

/** Every request for a statement keeps it alive. Stored at most once a minute, since statements are polled often. */
async function seen(call: PlatformCall, statement: Statement): Promise<Statement> {
  const { clock, store } = call.jar;
  if (isOver(statement) || clock.now() - (statement.seenAt ?? statement.createdAt) < MINUTE_MS) return statement;
  return store.transact(async (tx) => {
    const key = statementKey(statement.workspaceId, statement.id);
    const now = (await tx.get(statements, key))?.value;
    if (!now || isOver(now)) return now ?? statement;
    const noted: Statement = { ...now, seenAt: clock.now() };
    await tx.put(statements, key, noted);
    return noted;
  });
}

async function getChunk(call: PlatformCall, id: string, sent: string): Promise<object> {
  const statement = await findStatement(call, id);
  if (statement.state !== 'SUCCEEDED') throw notFound(`The result of the statement ${id}`);
  const index = /^\d{1,9}$/.test(sent) ? Number(sent) : -1;
  if (index < 0 || index >= (statement.chunks ?? []).length)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The chunk_index ${sent.slice(0, 20)} is out of bounds.` });
  return chunkView(call, statement, index);
}

/** The rows of a link. The link itself authorises the caller. */
async function download({ jar }: PlatformCall, token: string) {
  const place = decodeSkipToken<LinkPlace>(jar.vault, LINKS, token);
  if (!place || place.until < jar.clock.now())
    throw errors.PERMISSION_DENIED({ reason: 'The link has expired, or was not issued by this jar.' });
  const statement = (await jar.store.get(statements, place.key))?.value;
  const rows = (await jar.store.get(statementChunks, chunkKey(place.key, place.chunk)))?.value.rows;
  if (!statement || !rows) throw notFound('The result');
  const isCsv = statement.format === 'CSV';
  const names = (statement.columns ?? []).map(({ name }) => String(name));
  const text = isCsv ? csvOf(place.chunk === 0 ? names : undefined, rows) : JSON.stringify(rows);
  return ok(Buffer.from(text), { 'content-type': isCsv ? 'text/csv' : 'application/json' });
}

export const STATEMENT_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: PATH,
    operation: 'statements_execute',
    summary: 'Runs a SQL statement on a warehouse',
    accepts: 'stream',
    bodyLimitBytes: MOST_BODY_BYTES,
    code: routeCode([], { handle: async (call) => ok(await execute(call)) }),
  },
  {
    method: 'GET',
    path: `${PATH}/{id}`,
    operation: 'statements_get',
    summary: 'Reads a SQL statement, with the first part of its result',
    code: routeCode(['id'], {
      handle: async (call) =>
        ok(await statementView(call, await seen(call, await findStatement(call, call.params.id)))),
    }),
  },
  {
    method: 'GET',
    path: `${PATH}/{id}/result/chunks/{chunk}`,
    operation: 'statements_getChunk',
    summary: 'Reads a chunk of the result of a SQL statement',
    code: routeCode(['id', 'chunk'], {
      handle: async (call) => ok(await getChunk(call, call.params.id, call.params.chunk)),
    }),
  },
  {
    method: 'POST',
    path: `${PATH}/{id}/cancel`,
    operation: 'statements_cancel',
    summary: 'Cancels a SQL statement',
    code: routeCode(['id'], {
      async handle(call) {
        // As in the real service, cancelling a missing or ended statement returns the same response.
        const found = await statementFor(call, call.params.id);
        if (found) await cancelStatement(call, found);
        return ok({});
      },
    }),
  },
  {
    method: 'DELETE',
    path: `${PATH}/{id}`,
    operation: 'statements_close',
    summary: 'Has no effect, as in the real service',
    code: routeCode(['id'], { handle: async () => ok({}) }),
  },
  {
    method: 'GET',
    path: '/sql/external-links/{token}',
    operation: 'statements_download',
    summary: 'Reads the rows of a chunk of a result by its link',
    open: true,
    produces: 'application/octet-stream',
    code: routeCode(['token'], { handle: async (call) => download(call, call.params.token) }),
  },
];
