import { Link } from 'wouter';
import { addressOf, useGo } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { askService } from '../../shared/api/service.ts';
import { useData } from '../../shared/api/use-data.ts';
import { useRemoval } from '../../shared/api/use-removal.ts';
import { Time } from '../../shared/format/time.tsx';
import { longSpan } from '../../shared/format/times.ts';
import { useMayChange } from '../../shared/session.ts';
import { Badge, StateBadge } from '../../shared/ui/badge.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Facts, Section, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { CONFIGURED, type Subscription, shortScope, topicAddress, VERSION } from './api.ts';
import { FilterView } from './filter-view.tsx';
import { SubscriptionDeliveries } from './subscription-deliveries.tsx';

const MINUTE = 60_000;

/** One event subscription: whether it is in force, what it filters, and where it sends. */
export function SubscriptionDetail({ id }: { readonly id: string }) {
  const mayChange = useMayChange();
  const go = useGo();
  const subscription = useData(
    ['events', 'subscription', id],
    (signal) => dataOf(control.GET('/_jar/events/subscriptions/{id}', { params: { path: { id } }, signal })),
    { on: CONFIGURED },
  );
  const remove = useRemoval(() => askService(`${id}?${VERSION}`, { method: 'DELETE' }), {
    done: 'The event subscription was deleted.',
    after: () => go(addressOf('events', 'subscriptions'), { keep: true }),
  });
  const { data } = subscription;
  if (!data)
    return (
      <Detail kind="Event subscription" title={id} failure={subscription.failure}>
        {null}
      </Detail>
    );
  return (
    <Detail
      kind="Event subscription"
      title={data.name}
      failure={subscription.failure}
      badges={
        <>
          <StateBadge state={data.state} />
          {!data.isLive && <Badge tone="warning">not in force</Badge>}
          <CopyId id={data.id} length={40} />
        </>
      }
      actions={
        mayChange && (
          <Confirm
            label="Delete"
            question={`Delete ${data.name}? Its queued events are not sent any more.`}
            isDisabled={remove.isRunning}
            onConfirm={() => void remove.run()}
          />
        )
      }
    >
      <Tabs
        label="Event subscription"
        tabs={[
          { id: 'summary', title: 'Summary', content: () => <Summary of={data} /> },
          { id: 'deliveries', title: 'Deliveries', content: () => <SubscriptionDeliveries id={data.id} /> },
          { id: 'json', title: 'JSON', content: () => <JsonView value={data} /> },
        ]}
      />
    </Detail>
  );
}

function Summary({ of }: { readonly of: Subscription }) {
  const { topic, topicType, endpointType, endpoint, filter, retryPolicy, deadLetter, eventDeliverySchema } = of;
  return (
    <Stack>
      <Verdict of={of} />
      <Section title="Filter">
        <FilterView filter={filter} />
      </Section>
      <Section title="Delivery">
        <Facts
          facts={[
            { label: 'From', value: <Link href={topicAddress(topic)}>{shortScope(topic)}</Link> },
            { label: 'Topic type', value: topicType },
            { label: 'To', value: endpointType ?? 'nowhere: it has no destination' },
            { label: 'Address', value: endpoint },
            { label: 'Schema', value: eventDeliverySchema },
            {
              label: 'Given up',
              value:
                retryPolicy &&
                `after ${retryPolicy.maxDeliveryAttempts} attempts or ${longSpan(retryPolicy.eventTimeToLiveInMinutes * MINUTE)}`,
            },
            {
              label: 'Dead letters',
              value: deadLetter ? `container ${deadLetter.blobContainerName}` : 'none: what is given up is dropped',
            },
            { label: 'Created', value: <Time at={of.createdAt} /> },
            { label: 'Changed', value: <Time at={of.changedAt} /> },
            of.expiresAt !== undefined && { label: 'Expires', value: <Time at={of.expiresAt} /> },
          ]}
        />
      </Section>
    </Stack>
  );
}

/** Does it get events, and if not, why not. */
function Verdict({ of: { state, isLive, endpointType, id } }: { readonly of: Subscription }) {
  const handshakes = `${addressOf('deliveries')}?filter=${encodeURIComponent(`policy eq 'events.handshake' and owner eq '${id.toLowerCase()}'`)}`;
  if (state === 'Succeeded' && endpointType === undefined)
    return <Notice tone="warning" title="It has no destination, so that nothing is sent." />;
  if (state === 'Succeeded') return <Notice tone="success" title="It is in force: events that match are sent." />;
  const old = isLive ? ' The definition before stays in force.' : '';
  if (state === 'AwaitingManualAction')
    return (
      <Notice tone="warning" title="The endpoint has not agreed yet.">
        It did not answer the handshake with the code. A GET of the validation address, which it received, agrees within
        ten minutes.{old} <Link href={handshakes}>Show the handshake</Link>
      </Notice>
    );
  if (state === 'Failed')
    return (
      <Notice tone="failure" title="The endpoint refused the handshake, so that nothing is sent.">
        <Link href={handshakes}>Show the handshake</Link>, mend the endpoint, then create the subscription again.{old}
      </Notice>
    );
  return (
    <Notice title={`It is ${state.toLowerCase()}: the handshake with the endpoint is under way.`}>
      {old} <Link href={handshakes}>Show the handshake</Link>
    </Notice>
  );
}
