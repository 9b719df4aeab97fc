import { JsonView } from '../../../shared/ui/json-view.tsx';
import { Stack } from '../../../shared/ui/layout.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import type { Securable } from './api.ts';

interface Column {
  readonly name: string;
  readonly type_text?: string;
  readonly type_name?: string;
  readonly nullable?: boolean;
  readonly comment?: string;
  readonly partition_index?: number;
}

const PARTITION = { title: 'Partition', isNumber: true, cell: (column: Column) => column.partition_index ?? '' };

/** The columns and constraints of a table. */
export function TableColumns({ table }: { readonly table: Securable }) {
  const columns = (table.columns ?? []) as readonly Column[];
  return (
    <Stack>
      <Table
        label="Columns"
        items={columns}
        keyOf={({ name }) => name}
        empty="The table has no columns that are known."
        columns={[
          { title: 'Column', cell: ({ name }) => name },
          { title: 'Type', cell: ({ type_text, type_name }) => <code>{type_text ?? type_name}</code> },
          { title: 'Nullable', cell: ({ nullable = true }) => (nullable ? 'yes' : 'no') },
          ...(columns.some(({ partition_index }) => partition_index !== undefined) ? [PARTITION] : []),
          { title: 'Comment', cell: ({ comment }) => comment ?? '' },
        ]}
      />
      {table.table_constraints !== undefined && (
        <>
          <h3>Constraints</h3>
          <JsonView value={table.table_constraints} />
        </>
      )}
    </Stack>
  );
}
