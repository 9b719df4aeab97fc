import { useState } from 'react';
import { askService } from '../../shared/api/service.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useMayChange } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Facts, Row, Section, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { type BusinessRecord, ETAG } from './api.ts';
import { type EntitySet, titleOf } from './metadata.ts';
import { RecordFields, writable } from './record-fields.tsx';

interface Props {
  readonly path: string;
  readonly set: EntitySet;
  readonly record: BusinessRecord;
  readonly after: () => void;
}

/** The version of the record that is being edited, and what was changed in it. */
interface Edit {
  readonly base: BusinessRecord;
  readonly changed: Readonly<Record<string, unknown>>;
}

/** Edits one record. The tag is that of the version that the person saw first, so that nobody's change is overwritten. */
export function RecordForm({ path, set, record, after }: Props) {
  const mayChange = useMayChange() && set.canUpdate;
  const [edit, setEdit] = useState<Edit>();
  const { base, changed } = edit ?? { base: record, changed: {} };
  const save = useAction(
    () => askService(path, { method: 'PATCH', body: changed, headers: { 'if-match': String(base[ETAG] ?? '*') } }),
    {
      inline: true,
      done: 'The record was saved.',
      after: () => {
        setEdit(undefined);
        after();
      },
    },
  );
  const properties = writable(set.properties);
  const others = set.properties.filter(
    ({ name, type }) => type !== 'Edm.Stream' && !properties.some((each) => each.name === name),
  );
  const isOutdated = edit !== undefined && base[ETAG] !== record[ETAG];
  return (
    <Stack>
      {isOutdated && (
        <Notice
          tone="warning"
          title="Somebody has changed the record meanwhile."
          actions={<Button onPress={() => setEdit(undefined)}>Discard my changes</Button>}
        >
          Saving is refused, because it would overwrite that change.
        </Notice>
      )}
      <RecordFields
        properties={properties}
        values={{ ...base, ...changed }}
        onChange={(name, value) => setEdit({ base, changed: { ...changed, [name]: value } })}
        failure={save.failure}
        isDisabled={!mayChange}
      />
      {mayChange && (
        <Row>
          <Button look="main" isDisabled={edit === undefined || save.isRunning} onPress={() => void save.run()}>
            Save
          </Button>
          {edit !== undefined && <Button onPress={() => setEdit(undefined)}>Discard</Button>}
        </Row>
      )}
      <Section title="Computed">
        <Facts facts={others.map(({ name }) => ({ label: titleOf(name), value: textOf(record[name]) }))} />
      </Section>
    </Stack>
  );
}

const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === 'object' ? JSON.stringify(value) : String(value);
