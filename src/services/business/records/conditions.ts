import type { Filter, Order } from '../../../kernel/store/index.ts';
import type { Table, Value } from '../model/types.ts';

/** Values that fields must have. */
export type Where = Readonly<Record<string, Value>>;

/** Default order of every table: its number or code; for lines, their sequence in the document. */
export const TABLE_ORDER: readonly Order[] = [{ field: 't1' }, { field: 'n1' }];

const SYSTEM_COLUMNS: Readonly<Record<string, string>> = {
  id: 'id',
  lastModifiedDateTime: 'modified',
  systemModifiedAt: 'modified',
  systemCreatedAt: 'created',
};

/** The column that stores a field, or undefined. */
export const columnOf = (table: Table, field: string): string | undefined =>
  table.fields[field] ? table.slots[field] : SYSTEM_COLUMNS[field];

/** Filter for the records of a list with these values. Every field in `where` must be in a column. */
export function conditions(table: Table, list: string, where: Where): Filter {
  const args: Filter[] = [{ op: 'eq', field: 'list', value: list }];
  for (const [name, value] of Object.entries(where)) {
    const field = columnOf(table, name);
    if (field === undefined) throw new Error(`the field '${name}' of '${table.name}' is in no column`);
    args.push({ op: 'eq', field, value });
  }
  return args.length === 1 ? (args[0] as Filter) : { op: 'and', args };
}
