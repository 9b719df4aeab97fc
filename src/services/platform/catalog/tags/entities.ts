import type { Reader } from '../../../../kernel/store/index.ts';
import { errors } from '../../errors.ts';
import { type Chain, findChain, fullNameOf } from '../core/chain.ts';
import type { SecurableType } from '../core/privileges.ts';
import type { Securable } from '../core/securables.ts';
import { columnsOf } from '../tables/column-store.ts';

/** Entity types in paths. */
const TYPES: Readonly<Record<string, SecurableType | 'column'>> = {
  catalogs: 'catalog',
  schemas: 'schema',
  tables: 'table',
  columns: 'column',
  volumes: 'volume',
  functions: 'function',
  models: 'registered_model',
};

export interface Entity {
  readonly chain: Chain;
  readonly column?: string;
}

/** The entity that a path or body names. */
export async function findEntity(
  reader: Reader,
  metastore: Securable,
  type: string,
  name: string,
  lock: 'share' | 'none' = 'none',
): Promise<Entity> {
  const kind = Object.hasOwn(TYPES, type.toLowerCase()) ? TYPES[type.toLowerCase()] : undefined;
  if (!kind)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `'${type.slice(0, 100)}' is not a type of entity; it must be one of ${Object.keys(TYPES).join(', ')}.`,
    });
  if (kind !== 'column') return { chain: await findChain(reader, metastore, kind, name, { lock }) };
  const parts = name.split('.', 5);
  if (parts.length !== 4)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `'${name.slice(0, 300)}' is not the full name of a column; the form is catalog.schema.table.column.`,
    });
  const chain = await findChain(reader, metastore, 'table', parts.slice(0, 3).join('.'), { lock });
  const column = (parts[3] ?? '').toLowerCase();
  if (!(await columnNames(reader, chain.target)).has(column))
    throw errors.RESOURCE_DOES_NOT_EXIST({
      reason: `Column '${column.slice(0, 255)}' of Table '${fullNameOf(chain)}' does not exist.`,
    });
  return { chain, column };
}

/** The names of the columns of a table, in lower case. */
export const columnNames = async (reader: Reader, table: Securable): Promise<ReadonlySet<string>> =>
  new Set((await columnsOf(reader, table)).map(({ name }) => name.toLowerCase()));
