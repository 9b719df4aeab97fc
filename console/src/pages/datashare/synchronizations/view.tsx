import { addressOf, useSegments } from '../../../shared/address.ts';
import { bytes, count, milliseconds } from '../../../shared/format/numbers.ts';
import { CURL } from '../../../shared/format/shell.ts';
import { Time } from '../../../shared/format/time.tsx';
import { Explorer } from '../../../shared/list/explorer.tsx';
import { FilterBar } from '../../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../../shared/list/list.tsx';
import { useListQuery } from '../../../shared/list/list-query.ts';
import { useControlRows } from '../../../shared/list/use-rows.ts';
import { StateBadge } from '../../../shared/ui/badge.tsx';
import { Empty } from '../../../shared/ui/notice.tsx';
import { type Run, runAddress, SIGNALS } from '../api.ts';
import { RunDetail } from './run-detail.tsx';

const QUICK = [
  { id: 'running', title: 'In progress', filter: "status in ('Queued','InProgress')" },
  { id: 'failed', title: 'Failed', filter: "status eq 'Failed'" },
] as const;

const SEARCHED = ['shareSubscriptionId', 'consumerName', 'message', 'id'];

const keyOf = ({ id }: Run): string => id;

const nameOf = ({ shareSubscriptionId, id }: Run): string => shareSubscriptionId?.split('/').at(-1) ?? id;

const COLUMNS: readonly Column<Run>[] = [
  { id: 'name', title: 'Share subscription', width: 'minmax(8rem, 2fr)', cell: nameOf },
  {
    id: 'status',
    title: 'Status',
    width: '7rem',
    order: 'status',
    cell: ({ status }) => <StateBadge state={status} />,
  },
  { id: 'mode', title: 'Mode', width: '7rem', order: 'mode', isExtra: true, cell: ({ mode }) => mode },
  {
    id: 'by',
    title: 'Started by',
    width: '6rem',
    order: 'startedBy',
    isExtra: true,
    cell: ({ startedBy }) => startedBy,
  },
  {
    id: 'files',
    title: 'Files',
    width: '4.5rem',
    isNumber: true,
    isExtra: true,
    cell: ({ filesWritten }) => count(filesWritten),
  },
  {
    id: 'size',
    title: 'Size',
    width: '5.5rem',
    isNumber: true,
    isExtra: true,
    cell: ({ sizeWritten }) => bytes(sizeWritten),
  },
  {
    id: 'duration',
    title: 'Took',
    width: '5rem',
    order: 'durationMs',
    isNumber: true,
    isExtra: true,
    cell: ({ durationMs }) => durationMs !== undefined && milliseconds(durationMs),
  },
  { id: 'queued', title: 'Queued', width: '6rem', order: 'queuedAt', cell: ({ queuedAt }) => <Time at={queuedAt} /> },
];

/** Every synchronization of the jar, the newest first. */
export function Synchronizations() {
  const [, open] = useSegments('datashare');
  const { $filter, $orderby } = useListQuery(SEARCHED, QUICK);
  const rows = useControlRows('/_jar/datashare/synchronizations', {
    query: { $filter, $orderby },
    keyOf,
    on: SIGNALS,
  });
  return (
    <Explorer
      label="Synchronization"
      closed={addressOf('datashare', 'synchronizations')}
      list={
        <>
          <FilterBar placeholder="Name, consumer, message or OData expression" quick={QUICK} failure={rows.failure} />
          <List
            label="Synchronizations"
            source={rows}
            keyOf={keyOf}
            columns={COLUMNS}
            addressOf={({ id }) => runAddress(id)}
            open={open}
            empty={
              <Empty
                title={$filter === undefined ? 'Nothing was synchronized yet' : 'No synchronization matches the filter'}
                {...($filter === undefined && { command: exampleFor(location.origin) })}
              >
                A consumer synchronizes a share subscription, by a request or on the schedule of its trigger. The files
                of the mapped data sets are copied.
              </Empty>
            }
          />
        </>
      }
      detail={open === undefined ? undefined : <RunDetail key={open} id={open} />}
    />
  );
}

const exampleFor = (origin: string): string =>
  [
    'SUBSCRIPTION=/subscriptions/…/providers/Vendor.DataShare/accounts/{account}/shareSubscriptions/{name}',
    `${CURL} -s -X POST "${origin}$SUBSCRIPTION/synchronize?api-version=2021-08-01" \\`,
    '  -H "Authorization: Bearer $(npx cloudjar token --user other)" -H \'content-type: application/json\' \\',
    '  -d \'{"synchronizationMode":"FullSync"}\'',
  ].join('\n');
