import { addressOf, useSegments } from '../../shared/address.ts';
import { Time } from '../../shared/format/time.tsx';
import { Explorer } from '../../shared/list/explorer.tsx';
import { FilterBar } from '../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../shared/list/list.tsx';
import { useListQuery } from '../../shared/list/list-query.ts';
import type { RowOf } from '../../shared/list/pages.ts';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { StateBadge, StatusBadge } from '../../shared/ui/badge.tsx';
import { Page } from '../../shared/ui/layout.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { DeliveryDetail } from './detail.tsx';

export type Delivery = RowOf<'/_jar/deliveries'>;

/** Prepared filters by their id in the address. */
const QUICK = [
  { id: 'queued', title: 'Waiting', filter: "state eq 'queued'" },
  { id: 'failing', title: 'Failing', filter: "state eq 'queued' and outcome ne null and outcome ne 'Succeeded'" },
  { id: 'dead', title: 'Dead-lettered', filter: "state eq 'dead-lettered'" },
  { id: 'dropped', title: 'Dropped', filter: "state eq 'dropped'" },
  { id: 'delivered', title: 'Delivered', filter: "state eq 'delivered'" },
] as const;

const SEARCHED = ['subject', 'id'];

const keyOf = ({ id }: Delivery): string => id;

const COLUMNS: readonly Column<Delivery>[] = [
  {
    id: 'subject',
    title: 'Subject',
    width: 'minmax(8rem, 2fr)',
    order: 'subject',
    cell: ({ subject, id }) => subject ?? id,
  },
  { id: 'state', title: 'State', width: '6.5rem', order: 'state', cell: ({ state }) => <StateBadge state={state} /> },
  {
    id: 'status',
    title: 'Answer',
    width: '5rem',
    order: 'status',
    cell: (row) => row.lastAttempt && <StatusBadge status={row.lastAttempt.status} />,
  },
  { id: 'attempts', title: 'Attempts', width: '5rem', isNumber: true, isExtra: true, cell: ({ attempts }) => attempts },
  { id: 'service', title: 'Service', width: '7rem', order: 'service', isExtra: true, cell: ({ service }) => service },
  { id: 'address', title: 'To', width: 'minmax(8rem, 2fr)', isExtra: true, cell: ({ address }) => address },
  {
    id: 'created',
    title: 'Created',
    width: '6rem',
    order: 'createdAt',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

/** Everything that the jar sent or is about to send, with every attempt. */
export default function Deliveries() {
  const [open] = useSegments('deliveries');
  const { $filter, $orderby } = useListQuery(SEARCHED, QUICK);
  const rows = useControlRows('/_jar/deliveries', {
    query: { $filter, $orderby },
    keyOf,
    on: ['deliveries', 'work'],
  });
  const list = (
    <>
      <FilterBar placeholder="Subject, id or OData expression" quick={QUICK} failure={rows.failure}>
        <BulkActions filter={$filter} after={rows.readAgain} />
      </FilterBar>
      <List
        label="Deliveries"
        source={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={({ id }) => addressOf('deliveries', id)}
        open={open}
        empty={
          <Empty
            title={$filter === undefined ? 'Nothing was sent yet' : 'No delivery matches the filter'}
            {...($filter === undefined && { command: EXAMPLE })}
          >
            Events, notifications and webhooks that the jar sends appear here, with every attempt and the answer of the
            receiver.
          </Empty>
        }
      />
    </>
  );
  return (
    <Page title="Deliveries" about="What the jar sent: did it arrive, and if not, why not." isFull>
      <Explorer
        label="Delivery"
        closed={addressOf('deliveries')}
        list={list}
        detail={open === undefined ? undefined : <DeliveryDetail id={open} />}
      />
    </Page>
  );
}

const EXAMPLE = 'npx cloudjar deliveries --help';
