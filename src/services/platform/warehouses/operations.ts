import { ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { allOf, eq, type Filter, type Reader, type Tx } from '../../../kernel/store/index.ts';
import { checkMayCreateCompute } from '../compute/entitled.ts';
import { namesOf } from '../engine/names.ts';
import { pageSize, readPage } from '../engine/paging.ts';
import { errors } from '../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, routeCode, workspaceIn } from '../jar.ts';
import { takeCount } from '../limits/take.ts';
import type { Operation } from '../operation.ts';
import { creatorAcl, readersFilter, requireLevel } from '../permissions/guard.ts';
import { type Warehouse, warehouseKey, warehouses } from './collections.ts';
import { checkAllowed, getConfig, putConfig } from './config.ts';
import { DEFAULT_WAREHOUSE_OPERATIONS } from './default-warehouse.ts';
import { guardedWarehouse } from './guarded.ts';
import { needsRestart, readSettings } from './settings.ts';
import { listHistory } from './statements/history.ts';
import {
  beginStart,
  checkName,
  deleteWarehouse,
  keyOf,
  recordWarehouse,
  startWarehouse,
  stopWarehouse,
  watchIdleness,
} from './transitions.ts';
import { dataSourceView, warehouseView } from './view.ts';

const PATH = '/sql/warehouses';

type Level = 'CAN_VIEW' | 'CAN_USE' | 'CAN_MANAGE';

const notFound = (id: string) =>
  errors.RESOURCE_DOES_NOT_EXIST({ reason: `SQL warehouse ${id.slice(0, 200)} does not exist.` });

async function findWarehouse(
  call: Pick<PlatformCall, 'jar' | 'facts'>,
  id: string,
  level: Level,
  reader: Reader = call.jar.store,
): Promise<Warehouse> {
  const found = (await reader.get(warehouses, warehouseKey(workspaceIn(call).id, id)))?.value;
  if (!found) throw notFound(id);
  requireLevel(call, guardedWarehouse(found), level);
  return found;
}

function createWarehouse(call: PlatformCall): Promise<string> {
  const { jar } = call;
  const settings = readSettings(call.body ?? {});
  const workspace = workspaceIn(call);
  return jar.store.transact(async (tx) => {
    await checkMayCreateCompute(tx, call, 'SQL warehouses');
    await checkAllowed(tx, workspace.id, settings);
    const id = uuid().replaceAll('-', '').slice(0, 16);
    const now = jar.clock.now();
    const warehouse: Warehouse = {
      id,
      workspaceId: workspace.id,
      accountId: accountIn(call).id,
      region: workspace.region,
      name: String(settings.name ?? id),
      dataSource: uuid(),
      creator: callerIdentity(call).principal.id,
      acl: creatorAcl(call, 'warehouses'),
      settings,
      state: 'STOPPED',
      createdAt: now,
      lastActivityAt: now,
      busy: 0,
    };
    await checkName(tx, warehouse);
    await takeCount(tx, jar, { row: 'warehouses', scope: [workspace.id] });
    await recordWarehouse(tx, jar, 'create', warehouse);
    await beginStart(tx, jar, warehouse);
    return id;
  });
}

/** Omitted settings keep their values. */
async function editWarehouse(tx: Tx, call: PlatformCall, before: Warehouse): Promise<void> {
  const { jar } = call;
  const settings = readSettings(call.body ?? {}, before.settings);
  await checkAllowed(tx, before.workspaceId, settings);
  const edited: Warehouse = { ...before, settings, name: String(settings.name ?? before.name) };
  if (edited.name !== before.name) await checkName(tx, edited);
  await recordWarehouse(tx, jar, 'update', edited);
  const isUp = before.state === 'RUNNING' || before.state === 'STARTING';
  if (isUp && needsRestart(before.settings, settings)) {
    await beginStart(tx, jar, { ...edited, busy: 0 });
    return;
  }
  await tx.put(warehouses, keyOf(edited), edited);
  if (edited.state === 'RUNNING') await watchIdleness(tx, edited);
}

const visible = (call: PlatformCall): Filter => allOf(eq('workspace', workspaceIn(call).id), readersFilter(call));

async function listWarehouses(call: PlatformCall): Promise<object> {
  const { items, next } = await readPage(call, {
    collection: warehouses,
    query: { filter: visible(call), order: [{ field: 'createdAt' }] },
    size: pageSize(call.query),
  });
  const creators = items.map(({ value }) => value.creator);
  const names = await namesOf(call.jar.store, accountIn(call).id, creators);
  return {
    warehouses: items.map(({ value }) => warehouseView(value, names)),
    ...(next !== undefined && { next_page_token: next }),
  };
}

/** Without pagination: the limit of warehouses keeps the list short. */
async function listDataSources(call: PlatformCall): Promise<readonly object[]> {
  const query = { filter: visible(call), order: [{ field: 'createdAt' }], limit: 100_000 };
  const { items } = await call.jar.store.query(warehouses, query);
  return items.map(({ value }) => dataSourceView(value));
}

/** A row for an operation on one warehouse with an empty response. */
const action = (
  head: Pick<Operation, 'method' | 'path' | 'operation' | 'summary'>,
  level: Level,
  act: (tx: Tx, call: PlatformCall, warehouse: Warehouse) => Promise<unknown>,
): Operation => ({
  ...head,
  code: routeCode(['id'], {
    async handle(call) {
      const { id } = call.params;
      await call.jar.store.transact(async (tx) => {
        const warehouse = await findWarehouse(call, id, level, tx);
        if (warehouse.state === 'DELETING') throw notFound(id);
        await act(tx, call, warehouse);
      });
      return ok({});
    },
  }),
});

export const WAREHOUSE_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: PATH,
    operation: 'warehouses_create',
    summary: 'Creates a SQL warehouse and starts it',
    code: routeCode([], { handle: async (call) => ok({ id: await createWarehouse(call) }) }),
  },
  {
    method: 'GET',
    path: PATH,
    operation: 'warehouses_list',
    summary: 'Lists SQL warehouses',
    code: routeCode([], { handle: async (call) => ok(await listWarehouses(call)) }),
  },
  {
    method: 'GET',
    path: `${PATH}/{id}`,
    operation: 'warehouses_get',
    summary: 'Reads a SQL warehouse',
    code: routeCode(['id'], {
      async handle(call) {
        const warehouse = await findWarehouse(call, call.params.id, 'CAN_VIEW');
        return ok(warehouseView(warehouse, await namesOf(call.jar.store, warehouse.accountId, [warehouse.creator])));
      },
    }),
  },
  action(
    { method: 'POST', path: `${PATH}/{id}/edit`, operation: 'warehouses_edit', summary: 'Changes a SQL warehouse' },
    'CAN_MANAGE',
    editWarehouse,
  ),
  action(
    { method: 'POST', path: `${PATH}/{id}/start`, operation: 'warehouses_start', summary: 'Starts a SQL warehouse' },
    'CAN_USE',
    (tx, { jar }, warehouse) => startWarehouse(tx, jar, warehouse),
  ),
  action(
    { method: 'POST', path: `${PATH}/{id}/stop`, operation: 'warehouses_stop', summary: 'Stops a SQL warehouse' },
    'CAN_MANAGE',
    (tx, { jar }, warehouse) => stopWarehouse(tx, jar, warehouse),
  ),
  action(
    { method: 'DELETE', path: `${PATH}/{id}`, operation: 'warehouses_delete', summary: 'Deletes a SQL warehouse' },
    'CAN_MANAGE',
    (tx, { jar }, warehouse) => deleteWarehouse(tx, jar, warehouse),
  ),
  {
    method: 'GET',
    path: '/sql/config/warehouses',
    operation: 'warehouses_getConfig',
    summary: 'Reads the configuration of all SQL warehouses',
    needs: 'admin',
    code: routeCode([], { handle: async (call) => ok(await getConfig(call)) }),
  },
  {
    method: 'PUT',
    path: '/sql/config/warehouses',
    operation: 'warehouses_putConfig',
    summary: 'Replaces the configuration of all SQL warehouses, and restarts running ones',
    needs: 'admin',
    code: routeCode([], {
      async handle(call) {
        await putConfig(call);
        return ok({});
      },
    }),
  },
  ...DEFAULT_WAREHOUSE_OPERATIONS,
  {
    method: 'GET',
    path: '/preview/sql/data_sources',
    operation: 'dataSources_list',
    summary: 'Lists SQL warehouses as data sources of older APIs',
    code: routeCode([], { handle: async (call) => ok(await listDataSources(call)) }),
  },
  {
    method: 'GET',
    path: '/sql/history/queries',
    operation: 'queryHistory_list',
    summary: 'Lists the statements of SQL warehouses',
    code: routeCode([], { handle: async (call) => ok(await listHistory(call)) }),
  },
];
