import { Link } from 'wouter';
import { addressOf, useGo } from '../../../shared/address.ts';
import { askManagement } from '../../../shared/api/arm.ts';
import { control, dataOf } from '../../../shared/api/control.ts';
import { Failure } from '../../../shared/api/failure.ts';
import { useAction } from '../../../shared/api/use-action.ts';
import { useData } from '../../../shared/api/use-data.ts';
import { useRemoval } from '../../../shared/api/use-removal.ts';
import { Time } from '../../../shared/format/time.tsx';
import { literal } from '../../../shared/list/filter.ts';
import { useMayChange } from '../../../shared/session.ts';
import { StateBadge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Confirm } from '../../../shared/ui/confirm.tsx';
import { CopyId } from '../../../shared/ui/copy.tsx';
import { Detail } from '../../../shared/ui/detail.tsx';
import { Facts, Section, Stack } from '../../../shared/ui/layout.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { Tabs } from '../../../shared/ui/tabs.tsx';
import { addressOfId, isUnderWay, pathOf, post, runAddress, type ShareSubscription, SIGNALS } from '../api.ts';
import { Document } from '../document.tsx';
import { RunsTable, useRuns } from '../runs-table.tsx';
import { Schedule } from '../schedule.tsx';
import { Mappings } from './mappings.tsx';

export function SubscriptionDetail({ id }: { readonly id: string }) {
  const mayChange = useMayChange();
  const subscription = useData(['datashare', 'subscription', id], (signal) => readSubscription(id, signal), {
    on: SIGNALS,
  });
  const { data } = subscription;
  if (!data)
    return (
      <Detail kind="Share subscription" title={id.split('/').at(-1)} failure={subscription.failure}>
        {null}
      </Detail>
    );
  return (
    <Detail
      kind="Share subscription"
      title={data.name}
      failure={subscription.failure}
      badges={
        <>
          <StateBadge state={data.status} />
          <CopyId id={data.id} />
        </>
      }
      actions={mayChange && <Actions subscription={data} after={subscription.readAgain} />}
    >
      <Tabs
        label="Share subscription"
        tabs={[
          { id: 'summary', title: 'Summary', content: () => <Summary subscription={data} /> },
          { id: 'sets', title: `Data sets (${data.mappings})`, content: () => <Mappings subscription={data} /> },
          { id: 'json', title: 'JSON', content: () => <Document id={data.id} /> },
        ]}
      />
    </Detail>
  );
}

async function readSubscription(id: string, signal: AbortSignal): Promise<ShareSubscription> {
  const $filter = `id eq ${literal(id)}`;
  const { value } = await dataOf(
    control.GET('/_jar/datashare/subscriptions', { params: { query: { $filter } }, signal }),
  );
  if (!value[0]) throw new Failure(404, 'ShareSubscriptionNotFound', `There is no share subscription '${id}'.`);
  return value[0];
}

interface Props {
  readonly subscription: ShareSubscription;
}

function Actions({ subscription, after }: Props & { readonly after: () => void }) {
  const go = useGo();
  const { id, lastStatus, lastSynchronizationId, status, mappings } = subscription;
  const start = useAction((synchronizationMode: string) => post(id, 'synchronize', { synchronizationMode }), {
    done: 'The synchronization was started.',
    after,
  });
  const cancel = useAction(() => post(id, 'cancelSynchronization', { synchronizationId: lastSynchronizationId }), {
    done: 'Cancelled: no further file is copied.',
    after,
  });
  const remove = useRemoval(() => askManagement(pathOf(id), { method: 'DELETE' }), {
    done: 'The share subscription was deleted.',
    after: () => go(addressOf('datashare', 'received'), { keep: true }),
  });
  const isRunning = isUnderWay(lastStatus);
  const mayStart = status === 'Active' && mappings > 0 && !isRunning && !start.isRunning;
  return (
    <>
      <Button look="main" isDisabled={!mayStart} onPress={() => void start.run('Incremental')}>
        Synchronize
      </Button>
      <Button isDisabled={!mayStart} onPress={() => void start.run('FullSync')}>
        Full synchronization
      </Button>
      {isRunning && (
        <Confirm
          label="Cancel"
          question="Cancel the synchronization? Files that were copied stay."
          onConfirm={() => void cancel.run()}
        />
      )}
      <Confirm
        label="Delete"
        question={`Delete ${subscription.name} with its mappings, trigger and history? Copied files stay.`}
        onConfirm={() => void remove.run()}
      />
    </>
  );
}

function Summary({ subscription }: Props) {
  const { rows } = useRuns('shareSubscriptionId', subscription.id);
  const { recurrenceInterval, synchronizationTime, triggerStatus, nextSynchronizationAt, shareId } = subscription;
  const isScheduled = triggerStatus === 'Active';
  return (
    <Stack>
      <Verdict subscription={subscription} />
      <Schedule
        runs={rows}
        recurrenceInterval={isScheduled ? recurrenceInterval : undefined}
        synchronizationTime={synchronizationTime}
        about={
          triggerStatus === undefined
            ? 'The share subscription has no trigger: it is synchronized by requests only.'
            : `The trigger is ${triggerStatus}: every ${recurrenceInterval?.toLowerCase()}.`
        }
      />
      <Section title="Synchronizations">
        <RunsTable runs={rows} />
      </Section>
      <Section title="About">
        <Facts
          facts={[
            {
              label: 'Share',
              value: shareId ? (
                <Link href={addressOfId('sent', shareId)}>{subscription.shareName}</Link>
              ) : (
                subscription.shareName
              ),
            },
            { label: 'Provider', value: `${subscription.providerName}, ${subscription.providerTenantName}` },
            { label: 'Account', value: subscription.account },
            { label: 'Resource group', value: subscription.resourceGroup },
            { label: 'Subscription', value: <CopyId id={subscription.subscriptionId} length={40} /> },
            { label: 'Accepted', value: <Time at={subscription.sharedAt} /> },
            nextSynchronizationAt !== undefined && {
              label: 'Next synchronization',
              value: <Time at={nextSynchronizationAt} />,
            },
            subscription.expirationDate !== undefined && {
              label: 'Expires',
              value: <Time at={subscription.expirationDate} />,
            },
          ]}
        />
      </Section>
    </Stack>
  );
}

/** Does the data arrive, and if not, why not. */
function Verdict({ subscription }: Props) {
  const { status, mappings, lastStatus, lastSynchronizationId } = subscription;
  if (status === 'SourceDeleted') return <Notice tone="failure" title="The provider has deleted the share." />;
  if (status !== 'Active')
    return <Notice tone="warning" title={`The access is ${status.toLowerCase()}: nothing is copied.`} />;
  if (mappings === 0)
    return (
      <Notice tone="warning" title="No data set is mapped, so nothing can be synchronized.">
        Map the data sets of the source to targets.
      </Notice>
    );
  if (lastStatus === undefined || lastSynchronizationId === undefined)
    return <Notice title="It is ready, and was never synchronized." />;
  const link = <Link href={runAddress(lastSynchronizationId)}>Show the synchronization</Link>;
  if (lastStatus === 'Succeeded')
    return (
      <Notice tone="success" title="The last synchronization succeeded.">
        {link}
      </Notice>
    );
  if (isUnderWay(lastStatus)) return <Notice title="It is being synchronized.">{link}</Notice>;
  return (
    <Notice
      tone={lastStatus === 'Failed' ? 'failure' : 'warning'}
      title={`The last synchronization was ${lastStatus === 'Failed' ? 'a failure' : 'cancelled'}.`}
    >
      {link}
    </Notice>
  );
}
