import { useState } from 'react';
import { Failure } from '../../shared/api/failure.ts';
import { askService } from '../../shared/api/service.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useMayChange } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Row, Stack } from '../../shared/ui/layout.tsx';
import { type BusinessRecord, ETAG, plainMessage } from './api.ts';
import type { EntitySet } from './metadata.ts';

interface Props {
  readonly path: string;
  readonly set: EntitySet;
  readonly record: BusinessRecord;
  readonly after: () => void;
}

/** The record as the API shows it. A PATCH may send back everything that was read, so that it can be edited as a whole. */
export function RecordJson({ path, set, record, after }: Props) {
  const mayChange = useMayChange() && set.canUpdate;
  const [edit, setEdit] = useState<{ readonly text: string; readonly etag: string }>();
  const save = useAction(
    () =>
      askService(path, { method: 'PATCH', body: parsed(edit?.text ?? ''), headers: { 'if-match': edit?.etag ?? '*' } }),
    {
      inline: true,
      done: 'The record was saved.',
      after: () => {
        setEdit(undefined);
        after();
      },
    },
  );
  if (!edit)
    return (
      <Stack>
        {mayChange && (
          <Row>
            <Button onPress={() => setEdit({ text: textOf(record), etag: String(record[ETAG] ?? '*') })}>Edit</Button>
          </Row>
        )}
        <JsonView value={record} />
      </Stack>
    );
  return (
    <Stack>
      <TextField
        label="Record"
        value={edit.text}
        onChange={(text) => setEdit({ ...edit, text })}
        rows={24}
        isMono
        error={save.failure && plainMessage(save.failure.message)}
        onEnter={() => void save.run()}
      />
      <Row>
        <Button look="main" isDisabled={save.isRunning} onPress={() => void save.run()}>
          Save
        </Button>
        <Button onPress={() => setEdit(undefined)}>Discard</Button>
      </Row>
    </Stack>
  );
}

/** Without members such as `@odata.etag`, which are not properties. */
const textOf = (record: BusinessRecord): string =>
  JSON.stringify(Object.fromEntries(Object.entries(record).filter(([name]) => !name.includes('@'))), null, 2);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure(0, 'NotJson', `This is no JSON: ${error instanceof Error ? error.message : ''}`);
  }
}
