import { addressOf } from '../../shared/address.ts';
import { Time } from '../../shared/format/time.tsx';
import { Explorer } from '../../shared/list/explorer.tsx';
import { FilterBar } from '../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../shared/list/list.tsx';
import { useListQuery } from '../../shared/list/list-query.ts';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { NOTIFIED, type RemovedSubscription } from './api.ts';
import { SubscriptionDetail } from './subscription-detail.tsx';

const QUICK = [
  { id: 'refused', title: 'Refused by the receiver', filter: "reason eq 'refused'" },
  { id: 'undeliverable', title: 'Undeliverable', filter: "reason eq 'undeliverable'" },
  { id: 'expired', title: 'Expired', filter: "reason eq 'expired'" },
  { id: 'deleted', title: 'Deleted', filter: "reason eq 'deleted'" },
] as const;

const SEARCHED = ['set', 'notificationUrl', 'subscriptionId', 'detail'];

const keyOf = ({ subscriptionId }: RemovedSubscription): string => subscriptionId;

const COLUMNS: readonly Column<RemovedSubscription>[] = [
  { id: 'set', title: 'Set', width: 'minmax(6rem, 1fr)', order: 'set', cell: ({ set }) => set },
  {
    id: 'reason',
    title: 'Reason',
    width: '8rem',
    order: 'reason',
    cell: ({ reason }) => <Badge tone={reason === 'deleted' ? 'neutral' : 'failure'}>{reason}</Badge>,
  },
  { id: 'detail', title: 'Detail', width: 'minmax(8rem, 3fr)', isExtra: true, cell: ({ detail }) => detail },
  { id: 'to', title: 'To', width: 'minmax(8rem, 2fr)', isExtra: true, cell: ({ notificationUrl }) => notificationUrl },
  {
    id: 'removed',
    title: 'Removed',
    width: '6rem',
    order: 'removedAt',
    cell: ({ removedAt }) => <Time at={removedAt} />,
  },
];

/** Removed webhook subscriptions, the newest first: nobody else tells the subscriber. */
export function Removed({ rest: [open] }: { readonly rest: readonly string[] }) {
  const { $filter, $orderby } = useListQuery(SEARCHED, QUICK);
  const rows = useControlRows('/_jar/business/subscriptions/removed', {
    query: { $filter, $orderby },
    keyOf,
    on: NOTIFIED,
  });
  const list = (
    <>
      <FilterBar placeholder="Set, address, id or OData expression" quick={QUICK} failure={rows.failure} />
      <List
        label="Removed subscriptions"
        source={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={({ subscriptionId }) => addressOf('business', 'removed', subscriptionId)}
        open={open}
        empty={
          <Empty title={$filter === undefined ? 'No subscription was removed' : 'No removed subscription matches'}>
            A subscription is removed if it is not renewed for three days, if its receiver refuses a notification, or by
            a DELETE.
          </Empty>
        }
      />
    </>
  );
  return (
    <Explorer
      label="Removed subscription"
      closed={addressOf('business', 'removed')}
      list={list}
      detail={open === undefined ? undefined : <SubscriptionDetail key={open} id={open} />}
    />
  );
}
