import { useGo } from '../../shared/address.ts';
import { askService } from '../../shared/api/service.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { useRemoval } from '../../shared/api/use-removal.ts';
import { useMayChange } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { type BusinessRecord, ETAG, recordAddress, recordPath, WRITTEN } from './api.ts';
import { type EntitySet, titleOf } from './metadata.ts';
import { RecordChanges } from './record-changes.tsx';
import { RecordForm } from './record-form.tsx';
import { RecordJson } from './record-json.tsx';
import { Related } from './related.tsx';

interface Props {
  readonly api: string;
  readonly company: string;
  readonly set: EntitySet;
  readonly id: string;
}

/** One record as a form and as JSON, and who was notified of its changes. */
export function RecordDetail({ api, company, set, id }: Props) {
  const mayChange = useMayChange();
  const go = useGo();
  const path = recordPath(api, company, set.name, id);
  const record = useData(
    ['business', 'record', path],
    async (signal) => (await askService<BusinessRecord>(path, { signal })).body,
    { on: WRITTEN },
  );
  const remove = useRemoval(
    () => askService(path, { method: 'DELETE', headers: { 'if-match': String(record.data?.[ETAG] ?? '*') } }),
    {
      done: 'The record was deleted.',
      after: () => go(recordAddress(api, company, set.name), { keep: true }),
    },
  );
  const act = useAction((action: string) => askService(`${path}/Microsoft.NAV.${action}`, { method: 'POST' }), {
    done: (_, action) => `${titleOf(action)}: done.`,
    after: record.readAgain,
  });
  const { data } = record;
  if (!data)
    return (
      <Detail kind={set.name} title={id} failure={record.failure}>
        {null}
      </Detail>
    );
  const title = nameOf(data) ?? id;
  return (
    <Detail
      kind={set.name}
      title={title}
      failure={record.failure}
      badges={<CopyId id={id} length={40} />}
      actions={
        mayChange && (
          <>
            {set.actions.map((action) => (
              <Button key={action} isDisabled={act.isRunning} onPress={() => void act.run(action)}>
                {titleOf(action)}
              </Button>
            ))}
            {set.canDelete && (
              <Confirm
                label="Delete"
                question={`Delete ${title}?`}
                isDisabled={remove.isRunning}
                onConfirm={() => void remove.run()}
              />
            )}
          </>
        )
      }
    >
      <Tabs
        label="Record"
        tabs={[
          {
            id: 'form',
            title: 'Form',
            content: () => <RecordForm path={path} set={set} record={data} after={record.readAgain} />,
          },
          { id: 'changes', title: 'Changes', content: () => <RecordChanges id={id} /> },
          set.related.length > 0 && {
            id: 'related',
            title: 'Related',
            content: () => <Related api={api} company={company} set={set} path={path} />,
          },
          {
            id: 'json',
            title: 'JSON',
            content: () => <RecordJson path={path} set={set} record={data} after={record.readAgain} />,
          },
        ]}
      />
    </Detail>
  );
}

/** What people call the record. */
function nameOf(record: BusinessRecord): string | undefined {
  const found = ['displayName', 'name', 'description', 'number', 'code'].map((name) => record[name]);
  const name = found.find((value) => typeof value === 'string' && value !== '');
  return name === undefined ? undefined : String(name);
}
