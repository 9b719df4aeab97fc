import { uuid } from '../../../../kernel/ids/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { DAY_MS } from '../../../../kernel/time/index.ts';
import { keyOf, type Securable, SYSTEM_USER, securables } from '../../catalog/core/securables.ts';
import { putColumns } from '../../catalog/tables/column-store.ts';
import type { Column } from '../../catalog/tables/columns.ts';
import { beginLog, type NewFile, replaceFiles } from '../../catalog/tables/data/log.ts';
import type { PlatformJar } from '../../jar.ts';
import type { RoomRun, RunOutput } from '../collections.ts';
import { outputSchemaOf } from './program.ts';

/** Retention of output tables. */
const OUTPUT_KEPT_MS = 30 * DAY_MS;

export interface StagedTable {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly files: readonly NewFile[];
}

/**
 * Writes the output of a run into its own schema, in the transaction that ends the run. Schema and tables belong to the system and are
 * read-only; the identity of the run may read them.
 */
export async function putOutput(
  tx: Tx,
  jar: PlatformJar,
  run: RoomRun,
  catalog: Securable,
  tables: readonly StagedTable[],
): Promise<RunOutput> {
  const now = jar.clock.now();
  const expiresAt = now + OUTPUT_KEPT_MS;
  await grantUseCatalog(tx, catalog, run.runAs);
  const common = {
    accountId: catalog.accountId,
    metastore: catalog.metastore,
    owner: SYSTEM_USER,
    createdAt: now,
    createdBy: SYSTEM_USER,
    updatedAt: now,
    updatedBy: SYSTEM_USER,
  };
  const schema: Securable = {
    ...common,
    kind: 'schema',
    id: uuid(),
    parent: catalog.id,
    name: outputSchemaOf(run.taskId),
    grants: [{ principal: run.runAs, privileges: ['SELECT', 'USE_SCHEMA'] }],
    fields: { comment: `Output of the notebook ${run.notebook}` },
    extra: { system: true },
  };
  await tx.put(securables, keyOf(schema), schema);
  for (const { name, columns, files } of tables) {
    const table: Securable = {
      ...common,
      kind: 'table',
      id: uuid(),
      parent: schema.id,
      name,
      fields: { table_type: 'MANAGED', data_source_format: 'DELTA' },
      extra: { system: true, schema: 0, columns: columns.length },
    };
    await tx.put(securables, keyOf(table), table);
    await putColumns(tx, table.id, 0, columns);
    await beginLog(tx, jar, table, run.runAs);
    if (files.length > 0) await replaceFiles(tx, jar, table, { operation: 'WRITE', by: run.runAs, add: files });
  }
  return { catalog: catalog.name, schema: schema.name, id: schema.id, expiresAt };
}

/** Without `USE_CATALOG`, a grant on the tables would have no effect. */
async function grantUseCatalog(tx: Tx, { parent, kind, name }: Securable, principal: string): Promise<void> {
  const catalog = (await tx.get(securables, keyOf({ parent, kind, name })))?.value;
  if (!catalog) return;
  const { grants = [] } = catalog;
  const own = grants.find((each) => each.principal === principal);
  if (catalog.owner === principal || own?.privileges.includes('USE_CATALOG')) return;
  const given = { principal, privileges: [...(own?.privileges ?? []), 'USE_CATALOG' as const].sort() };
  const others = grants.filter((each) => each.principal !== principal);
  await tx.put(securables, keyOf(catalog), { ...catalog, grants: [...others, given] });
}
