import type { TableDefinition } from '../../../kernel/store/index.ts';
import type { Relationship, Table } from './types.ts';

/** The typed table with the rows of a table. What a relationship leads to has each value once. */
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
