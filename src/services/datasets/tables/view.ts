import { Type } from 'typebox';
import { DATA_TYPES } from '../model/data-types.ts';
import type { Column, Table } from '../model/types.ts';

const Text = Type.Optional(Type.String());
const Flag = Type.Optional(Type.Boolean());

export const TableView = Type.Object({
  name: Type.String(),
  description: Text,
  isHidden: Flag,
  columns: Type.Array(
    Type.Object({
      name: Type.String(),
      dataType: Type.String(),
      dataCategory: Text,
      formatString: Text,
      isHidden: Flag,
      sortByColumn: Text,
      summarizeBy: Text,
    }),
  ),
  measures: Type.Array(
    Type.Object({
      name: Type.String(),
      expression: Type.String(),
      description: Text,
      formatString: Text,
      isHidden: Flag,
    }),
  ),
  source: Type.Optional(Type.Array(Type.Object({ expression: Type.String() }))),
});

/** The schema of a table; its rows are available through queries. */
export const tableView = ({ name, description, isHidden, source, columns, measures }: Table) => ({
  name,
  ...(description !== undefined && { description }),
  ...(isHidden !== undefined && { isHidden }),
  columns: columns.map(columnView),
  measures,
  ...(source && { source }),
});

const columnView = ({ storage: _storage, type, name, ...rest }: Column) => ({
  name,
  dataType: DATA_TYPES[type],
  ...rest,
});
