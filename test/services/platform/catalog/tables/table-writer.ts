import { byId } from '../../../../../src/services/platform/catalog/core/chain.ts';
import { columnsOf } from '../../../../../src/services/platform/catalog/tables/column-store.ts';
import { replaceFiles } from '../../../../../src/services/platform/catalog/tables/data/log.ts';
import { type Row, stageRows } from '../../../../../src/services/platform/catalog/tables/data/rows.ts';
import type { PlatformJar } from '../../../../../src/services/platform/jar.ts';
import type { JarProbe } from '../../../../support/jar-probe.ts';
import { type Ask, good } from '../../support.ts';

/** Writes rows as the next version of a table, as an SQL statement does. */
export async function writeTable(
  probe: JarProbe,
  id: string,
  rows: readonly Row[],
  { overwrite = false } = {},
): Promise<number> {
  const jar = probe.jar as PlatformJar;
  const found = await byId(jar.store, id);
  if (!found) throw new Error('there is no such table');
  const add = await stageRows(jar, await columnsOf(jar.store, found), rows);
  const commit = { operation: 'WRITE', by: found.owner, add, remove: overwrite ? ('all' as const) : [] };
  return (await jar.store.transact((tx) => replaceFiles(tx, jar, found, commit))).version;
}

/** An external table with a column `id`, or with these columns. */
export const makeTable = (
  ask: Ask,
  fullName: string,
  columns: readonly object[] = [{ name: 'id', type_name: 'LONG', type_text: 'bigint' }],
) => {
  const [catalog_name, schema_name, name] = fullName.split('.');
  const storage_location = `abfss://data@store.dfs.core.windows.net/${fullName.replaceAll('.', '/')}`;
  const external = { table_type: 'EXTERNAL', data_source_format: 'DELTA', storage_location, columns };
  return good(ask('POST', '/api/2.1/unity-catalog/tables', { catalog_name, schema_name, name, ...external }));
};
