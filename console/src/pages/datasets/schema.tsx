import { counted } from '../../shared/format/numbers.ts';
import { Mono, Section, Soft, Stack } from '../../shared/ui/layout.tsx';
import { Table as PlainTable } from '../../shared/ui/table.tsx';
import type { Table } from './api.ts';

/** The columns and measures of every table. */
export function Schema({ tables }: { readonly tables: readonly Table[] }) {
  return (
    <Stack>
      {tables.map((table) => (
        <Section key={table.name} title={table.name} actions={<Soft>{counted(table.rows, 'row')}</Soft>}>
          {table.description !== undefined && <p>{table.description}</p>}
          <PlainTable
            label={`Columns of ${table.name}`}
            items={table.columns}
            keyOf={({ name }) => name}
            empty="The table has no column."
            columns={[
              { title: 'Column', cell: ({ name, isHidden }) => (isHidden ? <Soft>{name} (hidden)</Soft> : name) },
              { title: 'Type', cell: ({ dataType }) => dataType },
              { title: 'Format', cell: ({ formatString }) => formatString ?? '' },
              { title: 'Summarized by', cell: ({ summarizeBy }) => summarizeBy ?? '' },
            ]}
          />
          {table.measures.length > 0 && (
            <PlainTable
              label={`Measures of ${table.name}`}
              items={table.measures}
              keyOf={({ name }) => name}
              columns={[
                { title: 'Measure', cell: ({ name }) => name },
                { title: 'Expression', cell: ({ expression }) => <Mono>{expression}</Mono> },
              ]}
            />
          )}
        </Section>
      ))}
    </Stack>
  );
}
