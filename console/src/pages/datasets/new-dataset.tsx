import { X } from 'lucide-react';
import { useState } from 'react';
import { addressOf, useGo } from '../../shared/address.ts';
import type { Failure } from '../../shared/api/failure.ts';
import { askService } from '../../shared/api/service.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { Button, IconButton } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Select, TextField } from '../../shared/ui/field.tsx';
import { Row } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';

const MODES = [
  { value: 'Push', label: 'Push: rows are kept' },
  { value: 'PushStreaming', label: 'PushStreaming: rows are kept and streamed' },
  { value: 'Streaming', label: 'Streaming: rows are streamed' },
] as const;

const RETENTIONS = [
  { value: 'None', label: 'Keep all rows' },
  { value: 'basicFIFO', label: 'basicFIFO: keep the newest 200,000' },
] as const;

const TYPES = ['String', 'Int64', 'Double', 'Decimal', 'Boolean', 'DateTime'] as const;

interface NewColumn {
  readonly key: number;
  readonly name: string;
  readonly dataType: (typeof TYPES)[number];
}

/** Creates a dataset with one table in the workspace of the seeded administrator. */
export function NewDataset({ close }: { readonly close: () => void }) {
  const go = useGo();
  const [name, setName] = useState('');
  const [mode, setMode] = useState<(typeof MODES)[number]['value']>('PushStreaming');
  const [retention, setRetention] = useState<(typeof RETENTIONS)[number]['value']>('None');
  const [table, setTable] = useState('Rows');
  const [columns, setColumns] = useState<readonly NewColumn[]>([
    { key: 0, name: 'Name', dataType: 'String' },
    { key: 1, name: 'Value', dataType: 'Double' },
    { key: 2, name: 'At', dataType: 'DateTime' },
  ]);
  const create = useAction(
    () =>
      askService<{ readonly id: string }>(`/v1.0/myorg/datasets?defaultRetentionPolicy=${retention}`, {
        method: 'POST',
        body: {
          name,
          defaultMode: mode,
          tables: [{ name: table, columns: columns.map((each) => ({ name: each.name, dataType: each.dataType })) }],
        },
      }),
    { inline: true, after: ({ body }) => go(addressOf('datasets', body.id)) },
  );
  const { failure } = create;
  const at = (target: string): string | undefined => mistakeAt(failure, target);
  const change = (key: number, changed: Partial<NewColumn>): void =>
    setColumns((before) => before.map((each) => (each.key === key ? { ...each, ...changed } : each)));
  const isPlaced = failure?.details.some(({ target }) => FIELD.test(target ?? '')) ?? false;
  return (
    <Dialog title="Create a push dataset" close={close}>
      <TextField label="Name" value={name} onChange={setName} error={at('name')} autoFocus />
      <Row align="end">
        <Select label="Mode" value={mode} onChange={setMode} choices={MODES} />
        <Select label="Retention" value={retention} onChange={setRetention} choices={RETENTIONS} />
      </Row>
      <TextField label="Table" value={table} onChange={setTable} error={at('tables[0].name')} />
      {columns.map(({ key, name: column, dataType }, index) => (
        <Row key={key} align="end">
          <TextField
            label={`Column ${index + 1}`}
            value={column}
            onChange={(value) => change(key, { name: value })}
            error={at(`tables[0].columns[${index}].name`)}
          />
          <Select
            label="Type"
            value={dataType}
            onChange={(value) => change(key, { dataType: value })}
            choices={TYPES.map((value) => ({ value, label: value }))}
          />
          <IconButton
            label={`Remove column ${index + 1}`}
            icon={<X size={14} aria-hidden />}
            onPress={() => setColumns((before) => before.filter((each) => each.key !== key))}
          />
        </Row>
      ))}
      {failure && !isPlaced && (
        <Notice tone="failure" title={failure.details[0]?.message ?? failure.message}>
          {failure.details[0]?.target}
        </Notice>
      )}
      <Row>
        <Button
          onPress={() =>
            setColumns((before) => [
              ...before,
              { key: Math.max(-1, ...before.map(({ key }) => key)) + 1, name: '', dataType: 'String' },
            ])
          }
        >
          Add a column
        </Button>
        <Button look="main" isDisabled={name.trim() === '' || create.isRunning} onPress={() => void create.run()}>
          Create
        </Button>
      </Row>
    </Dialog>
  );
}

const FIELD = /^(name|tables\[0\]\.(name|columns\[\d+\]\.name))$/;

const mistakeAt = (failure: Failure | undefined, target: string): string | undefined =>
  failure?.details.find((each) => each.target === target)?.message;
