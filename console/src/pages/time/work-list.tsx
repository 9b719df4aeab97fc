import { addressOf } from '../../shared/address.ts';
import { Time } from '../../shared/format/time.tsx';
import { Explorer } from '../../shared/list/explorer.tsx';
import { FilterBar } from '../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../shared/list/list.tsx';
import { useListQuery } from '../../shared/list/list-query.ts';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { Empty } from '../../shared/ui/notice.tsx';
import { WORK, type WorkItem, workAddress } from './addresses.ts';
import { WorkDetail } from './work-detail.tsx';
import { WorkState } from './work-state.tsx';

/** Prepared filters by their id in the address. */
const QUICK = [
  { id: 'waiting', title: 'Waiting', filter: "state eq 'waiting'" },
  { id: 'running', title: 'Running', filter: "state eq 'leased'" },
  { id: 'retried', title: 'Failed before', filter: "state eq 'waiting' and attempts gt 0" },
  { id: 'parked', title: 'Parked', filter: "state eq 'parked'" },
] as const;

const SEARCHED = ['kind', 'id'];

const keyOf = ({ id }: WorkItem): string => id;

const COLUMNS: readonly Column<WorkItem>[] = [
  { id: 'title', title: 'Work', width: 'minmax(8rem, 2fr)', order: 'kind', cell: ({ title, kind }) => title ?? kind },
  { id: 'due', title: 'Due', width: '6rem', order: 'dueAt', cell: ({ dueAt }) => <Time at={dueAt} /> },
  { id: 'state', title: 'State', width: '6rem', order: 'state', cell: (item) => <WorkState {...item} /> },
  { id: 'about', title: 'About', width: 'minmax(8rem, 2fr)', isExtra: true, cell: ({ subject }) => subject },
  { id: 'attempts', title: 'Attempts', width: '5rem', isNumber: true, isExtra: true, cell: ({ attempts }) => attempts },
  { id: 'kind', title: 'Kind', width: '12rem', order: 'kind', isExtra: true, cell: ({ kind }) => kind },
];

/** All due work: waiting, running, and parked after it failed too often. */
export function WorkList({ open }: { readonly open: string | undefined }) {
  const { $filter, $orderby, quick } = useListQuery(SEARCHED, QUICK);
  const rows = useControlRows('/_jar/work', { query: { $filter, $orderby }, keyOf, on: ['work', 'clock'] });
  const list = (
    <>
      <FilterBar placeholder="Kind, id or OData expression" quick={QUICK} failure={rows.failure} />
      <List
        label="Due work"
        source={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={({ id }) => workAddress(id)}
        open={open}
        empty={
          <Empty title={emptyTitle($filter, quick)} {...($filter === undefined && { command: 'npx cloudjar clock' })}>
            {quick === 'parked'
              ? 'An item that has failed ten times is parked here with its reason, until somebody retries or removes it.'
              : 'Work that the jar does at a certain time appears here: retries of deliveries, expiring subscriptions, runs of schedules.'}
          </Empty>
        }
      />
    </>
  );
  return (
    <Explorer
      label="Due work"
      closed={addressOf('time', WORK)}
      list={list}
      detail={open === undefined ? undefined : <WorkDetail key={open} id={open} />}
    />
  );
}

function emptyTitle($filter: string | undefined, quick: string | undefined): string {
  if ($filter === undefined) return 'Nothing is due';
  return quick === 'parked' ? 'No work is parked' : 'No work matches the filter';
}
