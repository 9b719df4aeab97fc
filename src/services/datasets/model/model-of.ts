import type { Model } from '../language/model.ts';
import type { Dataset } from './types.ts';

/** The query model of a dataset. */
export const modelOf = ({ tables, relationships }: Pick<Dataset, 'tables' | 'relationships'>): Model => ({
  tables: tables.map(({ name, storage, columns, measures }) => ({
    name,
    storage,
    columns: columns.map((column) => ({ name: column.name, type: column.type, storage: column.storage })),
    measures: measures.map((measure) => ({ name: measure.name, expression: measure.expression })),
  })),
  relationships: relationships.map(({ name, fromTable, fromColumn, toTable, toColumn, crossFilteringBehavior }) => ({
    name,
    from: { table: fromTable, column: fromColumn },
    to: { table: toTable, column: toColumn },
    both: crossFilteringBehavior === 'BothDirections',
  })),
});
