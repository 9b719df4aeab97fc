import { pagesOf, type Reader, type Tx } from '../../../../kernel/store/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { checkBound } from '../../limits/take.ts';
import { dataIdOf, type Securable } from '../core/securables.ts';
import { columnsKey, tableColumns } from './collections.ts';
import type { Column } from './columns.ts';

/** Columns per document. */
const CHUNK = 500;

/** Throws if there are more columns than a table may have. */
export const checkColumnCount = (jar: PlatformJar, metastore: string, fullName: string, count: number): void =>
  checkBound(jar, 'table-columns', [metastore, fullName], count);

/** Writes the columns of one schema of a table. */
export async function putColumns(tx: Tx, table: string, schema: number, columns: readonly Column[]): Promise<void> {
  const chunks = Array.from({ length: Math.ceil(columns.length / CHUNK) }, (_, index) => {
    const some = columns.slice(index * CHUNK, (index + 1) * CHUNK);
    return [columnsKey(table, schema, index), { columns: some }] as const;
  });
  await tx.putAll(tableColumns, chunks);
}

/** The columns of a table, in order: the current ones, or those of an earlier schema. */
export async function columnsOf(
  reader: Reader,
  table: Pick<Securable, 'id' | 'extra'>,
  schema: number = schemaOf(table),
): Promise<readonly Column[]> {
  const columns: Column[] = [];
  for await (const page of pagesOf(reader, tableColumns, { prefix: columnsKey(dataIdOf(table), schema) }))
    for (const { value } of page) columns.push(...value.columns);
  return columns;
}

/** The number of a table's current schema. */
export const schemaOf = ({ extra }: Pick<Securable, 'extra'>): number =>
  typeof extra?.schema === 'number' ? extra.schema : 0;

export const columnCountOf = ({ extra }: Pick<Securable, 'extra'>): number =>
  typeof extra?.columns === 'number' ? extra.columns : 0;
