import { ok } from '../../../../kernel/http/index.ts';
import { errors } from '../../errors.ts';
import { type PlatformCall, routeCode } from '../../jar.ts';
import type { Operation } from '../../operation.ts';
import { requireReachable } from '../core/access.ts';
import { findChain } from '../core/chain.ts';
import { chainsBelow, listBelow } from '../core/list.ts';
import { metastoreIn } from '../core/metastore.ts';
import { changeSecurable } from '../core/operations.ts';
import type { Securable } from '../core/securables.ts';
import { CATALOG_VERSIONS, catalogOperations, containerOf, readSecurable } from '../core/wire.ts';
import { columnCountOf } from './column-store.ts';
import { createExternal } from './create-external.ts';
import { TABLES } from './kind.ts';
import { listSummaries } from './summaries.ts';
import { type Omitted, viewTable, viewTables } from './view.ts';

const PATH = '/unity-catalog/tables';
const ONE = `${PATH}/{full_name}`;

/** Maximum columns in one answer; a list with more continues on the next page. */
const MOST_COLUMNS = 50_000;

/** The number of tables, from the first on, whose columns fit within that maximum. */
function withinColumns(tables: readonly Securable[]): number {
  let columns = 0;
  const first = tables.findIndex((each) => {
    columns += columnCountOf(each);
    return columns > MOST_COLUMNS;
  });
  return first < 0 ? tables.length : first;
}

async function listTables(call: PlatformCall): Promise<object> {
  const { omit_columns: columns, omit_properties: properties, omit_username: usernames } = call.query;
  const omitted: Omitted = {
    columns: columns === 'true',
    properties: properties === 'true',
    usernames: usernames === 'true',
  };
  const above = await containerOf(call, TABLES);
  const { items, next } = await listBelow(call, TABLES, above, omitted.columns ? {} : { fits: withinColumns });
  const tables = await viewTables(call, chainsBelow(above, items), omitted);
  return { tables, ...(next !== undefined && { next_page_token: next }) };
}

/** Whether a table exists. The caller must be able to enter its ancestors, but need not be allowed to see the table. */
async function tableExists(call: PlatformCall, fullName: string): Promise<boolean> {
  try {
    await readSecurable(call, TABLES, fullName);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'TABLE_DOES_NOT_EXIST') return false;
    throw error;
  }
}

const row = (
  method: Operation['method'],
  path: string,
  verb: string,
  summary: string,
  code: Operation['code'],
  rest: Partial<Operation> = {},
): Operation => ({
  method,
  path,
  versions: CATALOG_VERSIONS,
  operation: `tables_${verb}`,
  summary: `Tables: ${summary}`,
  ...rest,
  code,
});

export const TABLE_OPERATIONS: readonly Operation[] = [
  row(
    'POST',
    PATH,
    'create',
    'create an external table',
    routeCode([], { handle: async (call) => ok(await viewTable(call, await createExternal(call))) }),
    { accepts: 'bytes' },
  ),
  row('GET', PATH, 'list', 'list them', routeCode([], { handle: async (call) => ok(await listTables(call)) })),
  row(
    'GET',
    ONE,
    'get',
    'read one',
    routeCode(['full_name'], {
      handle: async (call) =>
        ok(
          await viewTable(call, await readSecurable(call, TABLES, call.params.full_name), {
            deltaMetadata: call.query.include_delta_metadata === 'true',
          }),
        ),
    }),
  ),
  row(
    'GET',
    `${ONE}/exists`,
    'exists',
    'check whether one exists',
    routeCode(['full_name'], {
      handle: async (call) => ok({ table_exists: await tableExists(call, call.params.full_name) }),
    }),
  ),
  row(
    'PATCH',
    ONE,
    'update',
    'change the owner of one',
    routeCode(['full_name'], {
      handle: async (call) =>
        ok(await viewTable(call, await changeSecurable(call, TABLES, call.params.full_name, call.body))),
    }),
  ),
  ...catalogOperations(TABLES, {
    of: 'Tables',
    operations: 'tables',
    path: '/tables',
    array: 'tables',
    verbs: ['delete'],
  }),
  row(
    'GET',
    '/unity-catalog/table-summaries',
    'listSummaries',
    'list the names and types in a whole catalog',
    routeCode([], {
      async handle(call) {
        const { catalog_name: name } = call.query;
        if (typeof name !== 'string' || name === '')
          throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'catalog_name' });
        const catalog = await findChain(call.jar.store, await metastoreIn(call), 'catalog', name);
        requireReachable(call, catalog);
        return ok(await listSummaries(call, catalog));
      },
    }),
  ),
];
