import { addressOf, useGo } from '../../../shared/address.ts';
import { askManagement } from '../../../shared/api/arm.ts';
import { control, dataOf } from '../../../shared/api/control.ts';
import { Failure } from '../../../shared/api/failure.ts';
import { useData } from '../../../shared/api/use-data.ts';
import { useRemoval } from '../../../shared/api/use-removal.ts';
import { counted } from '../../../shared/format/numbers.ts';
import { Time } from '../../../shared/format/time.tsx';
import { literal } from '../../../shared/list/filter.ts';
import { useMayChange } from '../../../shared/session.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Confirm } from '../../../shared/ui/confirm.tsx';
import { CopyId } from '../../../shared/ui/copy.tsx';
import { Detail } from '../../../shared/ui/detail.tsx';
import { Facts, Section, Stack } from '../../../shared/ui/layout.tsx';
import { Tabs } from '../../../shared/ui/tabs.tsx';
import { pathOf, type Share, SIGNALS } from '../api.ts';
import { Document } from '../document.tsx';
import { RunsTable, useRuns } from '../runs-table.tsx';
import { Schedule } from '../schedule.tsx';
import { Consumers } from './consumers.tsx';
import { DataSets } from './data-sets.tsx';
import { Invitations } from './invitations.tsx';

export function ShareDetail({ id }: { readonly id: string }) {
  const go = useGo();
  const mayChange = useMayChange();
  const share = useData(['datashare', 'share', id], (signal) => readShare(id, signal), { on: SIGNALS });
  const remove = useRemoval(() => askManagement(pathOf(id), { method: 'DELETE' }), {
    done: 'The share was deleted.',
    after: () => go(addressOf('datashare', 'sent'), { keep: true }),
  });
  const { data } = share;
  if (!data)
    return (
      <Detail kind="Share" title={id.split('/').at(-1)} failure={share.failure}>
        {null}
      </Detail>
    );
  return (
    <Detail
      kind="Share"
      title={data.name}
      failure={share.failure}
      badges={
        <>
          <Badge>{data.shareKind}</Badge>
          <CopyId id={data.id} />
        </>
      }
      actions={
        mayChange && (
          <Confirm
            label="Delete"
            question={`Delete ${data.name}, and end the access of ${counted(data.consumers, 'consumer')}? Copied files stay.`}
            isDisabled={remove.isRunning}
            onConfirm={() => void remove.run()}
          />
        )
      }
    >
      <Tabs
        label="Share"
        tabs={[
          { id: 'summary', title: 'Summary', content: () => <Summary share={data} /> },
          { id: 'sets', title: `Data sets (${data.dataSets})`, content: () => <DataSets id={data.id} /> },
          { id: 'invitations', title: 'Invitations', content: () => <Invitations id={data.id} /> },
          { id: 'json', title: 'JSON', content: () => <Document id={data.id} /> },
        ]}
      />
    </Detail>
  );
}

async function readShare(id: string, signal: AbortSignal): Promise<Share> {
  const $filter = `id eq ${literal(id)}`;
  const { value } = await dataOf(control.GET('/_jar/datashare/shares', { params: { query: { $filter } }, signal }));
  if (!value[0]) throw new Failure(404, 'ShareNotFound', `There is no share '${id}'.`);
  return value[0];
}

function Summary({ share }: { readonly share: Share }) {
  const { rows } = useRuns('shareId', share.id);
  const { recurrenceInterval, synchronizationTime } = share;
  return (
    <Stack>
      <Schedule
        runs={rows}
        recurrenceInterval={recurrenceInterval}
        synchronizationTime={synchronizationTime}
        about={
          recurrenceInterval === undefined
            ? 'The share has no schedule, so consumers synchronize by requests only.'
            : `Offered every ${recurrenceInterval.toLowerCase()}; consumers follow it with a trigger.`
        }
      />
      <Section title="Consumers">
        <Consumers id={share.id} />
      </Section>
      <Section title="Synchronizations">
        <RunsTable runs={rows} withConsumer />
      </Section>
      <Section title="About">
        <Facts
          facts={[
            { label: 'Description', value: share.description },
            { label: 'Terms', value: share.terms },
            { label: 'Account', value: share.account },
            { label: 'Resource group', value: share.resourceGroup },
            { label: 'Subscription', value: <CopyId id={share.subscriptionId} length={40} /> },
            { label: 'Created', value: <Time at={share.createdAt} /> },
          ]}
        />
      </Section>
    </Stack>
  );
}
