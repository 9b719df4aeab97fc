import { addressOf } from '../../shared/address.ts';
import { CURL } from '../../shared/format/shell.ts';
import { Time } from '../../shared/format/time.tsx';
import { Explorer } from '../../shared/list/explorer.tsx';
import { FilterBar } from '../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../shared/list/list.tsx';
import { useListQuery } from '../../shared/list/list-query.ts';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Soft } from '../../shared/ui/layout.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { PUBLISHED, shortScope, type TraceRow, traceAddress } from './api.ts';
import { TraceDetail } from './trace-detail.tsx';

const QUICK = [
  { id: 'matched', title: 'Matched', filter: 'matched/any()' },
  { id: 'unmatched', title: 'Matched nothing', filter: 'not matched/any()' },
  { id: 'refused', title: 'Refused by a filter', filter: 'refused gt 0' },
] as const;

const SEARCHED = ['eventId', 'eventType', 'subject', 'topic'];

const keyOf = ({ id }: TraceRow): string => id;

const COLUMNS: readonly Column<TraceRow>[] = [
  { id: 'type', title: 'Type', width: 'minmax(8rem, 2fr)', order: 'eventType', cell: ({ eventType }) => eventType },
  {
    id: 'subject',
    title: 'Subject',
    width: 'minmax(6rem, 2fr)',
    order: 'subject',
    isExtra: true,
    cell: ({ subject }) => subject,
  },
  {
    id: 'topic',
    title: 'Topic',
    width: 'minmax(6rem, 1fr)',
    isExtra: true,
    cell: ({ topic }) => <span title={topic}>{shortScope(topic)}</span>,
  },
  { id: 'id', title: 'Event id', width: '8rem', isExtra: true, cell: ({ eventId }) => eventId },
  { id: 'matched', title: 'Matched', width: '6rem', cell: (row) => <Matches {...row} /> },
  { id: 'at', title: 'Published', width: '6rem', order: 'at', cell: ({ at }) => <Time at={at} /> },
];

function Matches({ matched, refused }: TraceRow) {
  if (matched.length === 0 && refused === 0) return <Soft>none</Soft>;
  return (
    <Badge tone={matched.length > 0 ? 'success' : 'neutral'}>
      {matched.length} of {matched.length + refused}
    </Badge>
  );
}

/** Published events, the newest first. */
export function Traces({ open }: { readonly open: string | undefined }) {
  const { $filter, $orderby } = useListQuery(SEARCHED, QUICK);
  const rows = useControlRows('/_jar/events/traces', { query: { $filter, $orderby }, keyOf, on: PUBLISHED });
  const list = (
    <>
      <FilterBar
        placeholder="Type, subject, topic, event id or OData expression"
        quick={QUICK}
        failure={rows.failure}
      />
      <List
        label="Events"
        source={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={({ id }) => traceAddress(id)}
        open={open}
        empty={
          $filter === undefined ? (
            <Empty title="No event was published yet" command={EXAMPLE}>
              Each published event is here with its way: which subscriptions it matched, why others did not match, and
              its deliveries. The command makes a topic and publishes an event.
            </Empty>
          ) : (
            <Empty title="No event matches the filter" />
          )
        }
      />
    </>
  );
  return (
    <Explorer
      label="Event"
      closed={addressOf('events', 'traces')}
      list={list}
      detail={open === undefined ? undefined : <TraceDetail key={open} id={open} />}
    />
  );
}

const EXAMPLE = `TOKEN=$(npx cloudjar token)
GROUP=${location.origin}/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/shop
put() { ${CURL} -s -X PUT "$1" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"location":"westus"}'; }
put "$GROUP?api-version=2021-04-01"
put "$GROUP/providers/Vendor.EventGrid/topics/orders?api-version=2025-02-15"
${CURL} -s "${location.origin}/events/westus/orders/api/events" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '[{"id":"1","eventType":"Shop.OrderPlaced","subject":"/orders/1","eventTime":"2030-01-01T00:00:00Z","dataVersion":"1","data":{}}]'`;
