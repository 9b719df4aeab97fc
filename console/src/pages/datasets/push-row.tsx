import { useState } from 'react';
import type { Failure } from '../../shared/api/failure.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Select, TextField } from '../../shared/ui/field.tsx';
import { Grid, Row, Soft, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { type Column, type Dataset, pushRow, type Table } from './api.ts';

const FLAGS = [
  { value: '', label: 'blank' },
  { value: 'true', label: 'true' },
  { value: 'false', label: 'false' },
] as const;

interface Props {
  readonly dataset: Dataset;
  readonly table: Table;
  readonly close: () => void;
  readonly after: () => void;
}

/** A form with a field for each column; an empty field is blank. Values stay, because the next row is often similar. */
export function PushRow({ dataset, table, close, after }: Props) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const push = useAction(
    () =>
      pushRow(dataset.id, table.name, Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))),
    { inline: true, done: 'The row was pushed.', after },
  );
  const { failure } = push;
  const isPlaced = table.columns.some((column) => mistakeAt(failure, column) !== undefined);
  return (
    <section aria-label="Push a row">
      <Stack>
        <Grid least={180}>
          {table.columns.map((column) => {
            const set = (value: string): void => setValues((before) => ({ ...before, [column.name]: value }));
            const value = values[column.name] ?? '';
            return column.dataType === 'Boolean' ? (
              <Select key={column.name} label={column.name} value={value} onChange={set} choices={FLAGS} />
            ) : (
              <TextField
                key={column.name}
                label={column.name}
                value={value}
                onChange={set}
                placeholder={PLACEHOLDERS[column.dataType] ?? 'text'}
                error={mistakeAt(failure, column)}
                onEnter={() => void push.run()}
              />
            );
          })}
        </Grid>
        {failure && !isPlaced && <Notice tone="failure" title={failure.message} />}
        <Row>
          <Button look="main" isDisabled={push.isRunning} onPress={() => void push.run()}>
            Push the row
          </Button>
          <Button onPress={close}>Close</Button>
          <Soft>An empty field is blank. A row pushed here counts towards no rate limit.</Soft>
        </Row>
      </Stack>
    </section>
  );
}

/** The target of a mistake ends with the name of the column: `rows[0].Amount`. */
const mistakeAt = (failure: Failure | undefined, { name }: Column): string | undefined =>
  failure?.target === `rows[0].${name}` ? failure.message : undefined;

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  Int64: 'whole number',
  Double: 'number',
  Decimal: 'number',
  DateTime: '2026-01-05T13:04:09Z',
};
