/** Notation for tables: `text(100)`, `code(20)`, `readOnly(decimal)`. */
import type { EnumType, Field, Relation, Table, Value } from './types.ts';

export const text = (maxLength?: number): Field =>
  maxLength === undefined ? { type: 'string' } : { type: 'string', maxLength };

/** A number or a code: identifies a record for people. */
export const code = (maxLength: number): Field => ({ type: 'string', maxLength, code: true });

export const guid: Field = { type: 'guid' };
export const boolean: Field = { type: 'boolean' };
export const decimal: Field = { type: 'decimal' };
export const int32: Field = { type: 'int32' };
export const date: Field = { type: 'date' };
export const dateTime: Field = { type: 'dateTime' };
export const stream: Field = { type: 'stream' };

/** A member of an enumeration; default: the first. */
export const option = (type: EnumType): Field => ({ type });

export const readOnly = (field: Field): Field => ({ ...field, readOnly: true });

/** Used by rules; no page shows it. */
export const internal = (field: Field): Field => ({ ...field, internal: true });

export const initially = (initial: Value, field: Field): Field => ({ ...field, initial });

/** A relation by the system id and the code of the other record: `currencyId` and `currencyCode`. */
export const related = (to: string, id: string | undefined, code?: string, copies?: Relation['copies']): Relation => ({
  to,
  ...(id !== undefined && { id }),
  ...(code !== undefined && { code }),
  ...(copies && { copies }),
});

/** Sets the name of each table of a file. */
export function named<T extends Readonly<Record<string, Omit<Table, 'name'>>>>(
  tables: T,
): { readonly [Name in keyof T]: Table } {
  return Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, { name, ...table }])) as {
    readonly [Name in keyof T]: Table;
  };
}
