import { addressOf } from '../../shared/address.ts';
import { CURL } from '../../shared/format/shell.ts';
import { Explorer } from '../../shared/list/explorer.tsx';
import { FilterBar } from '../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../shared/list/list.tsx';
import { useListQuery } from '../../shared/list/list-query.ts';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { StateBadge } from '../../shared/ui/badge.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { CONFIGURED, isSameId, type Topic, topicAddress } from './api.ts';
import { TopicDetail } from './topic-detail.tsx';

const QUICK = [
  { id: 'topic', title: 'Topics', filter: "kind eq 'topic'" },
  { id: 'domain', title: 'Domains', filter: "kind eq 'domain'" },
  { id: 'system', title: 'System topics', filter: "kind eq 'system topic'" },
  { id: 'partner', title: 'Partners', filter: "kind eq 'partner topic' or kind eq 'partner namespace'" },
] as const;

const SEARCHED = ['name', 'resourceGroup'];

const keyOf = ({ id }: Topic): string => id;

const COLUMNS: readonly Column<Topic>[] = [
  { id: 'name', title: 'Name', width: 'minmax(7rem, 2fr)', order: 'name', cell: ({ name }) => name },
  { id: 'kind', title: 'Kind', width: '8rem', order: 'kind', cell: ({ kind }) => kind },
  { id: 'state', title: 'State', width: '7rem', isExtra: true, cell: ({ state }) => <StateBadge state={state} /> },
  { id: 'schema', title: 'Schema', width: '11rem', isExtra: true, cell: ({ inputSchema = '' }) => inputSchema },
  {
    id: 'group',
    title: 'Group',
    width: 'minmax(6rem, 1fr)',
    order: 'resourceGroup',
    isExtra: true,
    cell: ({ resourceGroup }) => resourceGroup,
  },
  { id: 'location', title: 'Location', width: '7rem', order: 'location', isExtra: true, cell: (row) => row.location },
  {
    id: 'subscriptions',
    title: 'Subscriptions',
    width: '7rem',
    isNumber: true,
    cell: ({ subscriptions }) => subscriptions,
  },
];

/** Topics, domains and what is like them, of all Azure subscriptions. */
export function Topics({ open }: { readonly open: string | undefined }) {
  const { $filter, $orderby } = useListQuery(SEARCHED, QUICK);
  const rows = useControlRows('/_jar/events/topics', { query: { $filter, $orderby }, keyOf, on: CONFIGURED });
  const opened = rows.rows.find(({ id }) => open !== undefined && isSameId(id, open));
  const list = (
    <>
      <FilterBar placeholder="Name, group or OData expression" quick={QUICK} failure={rows.failure} />
      <List
        label="Topics"
        source={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={({ id }) => topicAddress(id)}
        open={opened && keyOf(opened)}
        empty={
          $filter === undefined ? (
            <Empty title="There is no topic yet" command={EXAMPLE}>
              A topic is an address to which programs publish events. A domain is one address for many topics.
            </Empty>
          ) : (
            <Empty title="No topic matches the filter" />
          )
        }
      />
    </>
  );
  return (
    <Explorer
      label="Topic"
      closed={addressOf('events', 'topics')}
      list={list}
      detail={open === undefined ? undefined : <TopicDetail key={open} id={open} />}
    />
  );
}

const EXAMPLE = `TOKEN=$(npx cloudjar token)
GROUP=${location.origin}/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/shop
put() { ${CURL} -s -X PUT "$1" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"location":"westus"}'; }
put "$GROUP?api-version=2021-04-01"
put "$GROUP/providers/Vendor.EventGrid/topics/orders?api-version=2025-02-15"`;
