import type { TableDefinition } from '../../../kernel/store/index.ts';
import type { Relationship, Table } from './types.ts';

/** The definition of the typed table for a table's rows. The key column on the one side of a relationship is unique. */
export const definitionOf = (
  { name, storage, columns }: Table,
  relationships: readonly Relationship[],
): TableDefinition => ({
  name: storage,
  columns: columns.map((column) => ({
    name: column.storage,
    type: column.type,
    unique: relationships.some(({ toTable, toColumn }) => toTable === name && toColumn === column.name),
  })),
});
