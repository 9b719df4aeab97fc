import { addressOf } from '../../shared/address.ts';
import { lastSegment } from '../../shared/format/ids.ts';
import { CURL } from '../../shared/format/shell.ts';
import { Time } from '../../shared/format/time.tsx';
import { Explorer } from '../../shared/list/explorer.tsx';
import { FilterBar } from '../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../shared/list/list.tsx';
import { useListQuery } from '../../shared/list/list-query.ts';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { StateBadge } from '../../shared/ui/badge.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { CONFIGURED, type Subscription, shortScope, subscriptionAddress } from './api.ts';
import { filterText } from './filter-view.tsx';
import { SubscriptionDetail } from './subscription-detail.tsx';

const QUICK = [
  { id: 'live', title: 'In force', filter: 'isLive eq true' },
  { id: 'failed', title: 'Handshake failed', filter: "state eq 'Failed'" },
  { id: 'manual', title: 'Waits for its endpoint', filter: "state eq 'AwaitingManualAction' or state eq 'Creating'" },
  { id: 'expires', title: 'Expires', filter: 'expiresAt ne null' },
] as const;

const SEARCHED = ['name', 'topic', 'endpoint'];

/** Management groups of two tenants may have the same name. */
const keyOf = ({ id, tenantId = '' }: Subscription): string => `${tenantId}${id}`;

const COLUMNS: readonly Column<Subscription>[] = [
  { id: 'name', title: 'Name', width: 'minmax(7rem, 1fr)', order: 'name', cell: ({ name }) => name },
  { id: 'state', title: 'State', width: '11rem', order: 'state', cell: ({ state }) => <StateBadge state={state} /> },
  {
    id: 'topic',
    title: 'Topic or scope',
    width: 'minmax(7rem, 1fr)',
    order: 'topic',
    cell: ({ topic }) => <span title={topic}>{shortScope(topic)}</span>,
  },
  {
    id: 'filter',
    title: 'Filter',
    width: 'minmax(8rem, 2fr)',
    isExtra: true,
    cell: ({ filter }) => <span title={filterText(filter)}>{filterText(filter)}</span>,
  },
  {
    id: 'endpoint',
    title: 'Destination',
    width: 'minmax(8rem, 2fr)',
    order: 'endpoint',
    isExtra: true,
    cell: ({ endpointType = 'none', endpoint = '' }) => (
      <span title={endpoint}>{endpointType === 'WebHook' ? endpoint : `${endpointType} ${lastSegment(endpoint)}`}</span>
    ),
  },
  {
    id: 'changed',
    title: 'Changed',
    width: '6rem',
    order: 'changedAt',
    isExtra: true,
    cell: ({ changedAt }) => <Time at={changedAt} />,
  },
];

/** The event subscriptions of all scopes. */
export function Subscriptions({ open }: { readonly open: string | undefined }) {
  const { $filter, $orderby } = useListQuery(SEARCHED, QUICK);
  const rows = useControlRows('/_jar/events/subscriptions', {
    query: { $filter, $orderby },
    keyOf,
    on: CONFIGURED,
  });
  const opened = rows.rows.find(({ id }) => id === open);
  const list = (
    <>
      <FilterBar placeholder="Name, topic, destination or OData expression" quick={QUICK} failure={rows.failure} />
      <List
        label="Event subscriptions"
        source={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={({ id }) => subscriptionAddress(id)}
        open={opened && keyOf(opened)}
        empty={
          $filter === undefined ? (
            <Empty title="There is no event subscription yet" command={EXAMPLE}>
              A subscription sends the events of a topic, a resource, a group or a whole subscription to a destination.
              The command sends every change of a resource to an inbox of the jar.
            </Empty>
          ) : (
            <Empty title="No event subscription matches the filter" />
          )
        }
      />
    </>
  );
  return (
    <Explorer
      label="Event subscription"
      closed={addressOf('events', 'subscriptions')}
      list={list}
      detail={open === undefined ? undefined : <SubscriptionDetail key={open} id={open} />}
    />
  );
}

const EXAMPLE = `${CURL} -s -X PUT '${location.origin}/subscriptions/10000000-0000-4000-8000-0000000000f1/providers/Vendor.EventGrid/eventSubscriptions/writes?api-version=2025-02-15' \\
  -H "Authorization: Bearer $(npx cloudjar token)" -H 'Content-Type: application/json' \\
  -d '{"properties":{"destination":{"endpointType":"WebHook","properties":{"endpointUrl":"${location.origin}/_jar/inbox/writes"}}}}'`;
