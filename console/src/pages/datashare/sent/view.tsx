import { addressOf, useSegments } from '../../../shared/address.ts';
import { count } from '../../../shared/format/numbers.ts';
import { CURL } from '../../../shared/format/shell.ts';
import { Time } from '../../../shared/format/time.tsx';
import { Explorer } from '../../../shared/list/explorer.tsx';
import { FilterBar } from '../../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../../shared/list/list.tsx';
import { useListQuery } from '../../../shared/list/list-query.ts';
import { useControlRows } from '../../../shared/list/use-rows.ts';
import { Empty } from '../../../shared/ui/notice.tsx';
import { idOf, ownedAddress, type Share, SIGNALS } from '../api.ts';
import { ShareDetail } from './share-detail.tsx';

const QUICK = [
  { id: 'invited', title: 'Invitations pending', filter: 'pendingInvitations gt 0' },
  { id: 'taken', title: 'With consumers', filter: 'consumers gt 0' },
] as const;

const SEARCHED = ['name', 'account', 'description'];

const keyOf = ({ id }: Share): string => id.toLowerCase();

const COLUMNS: readonly Column<Share>[] = [
  { id: 'name', title: 'Share', width: 'minmax(8rem, 2fr)', order: 'name', cell: ({ name }) => name },
  {
    id: 'account',
    title: 'Account',
    width: 'minmax(6rem, 1fr)',
    order: 'account',
    isExtra: true,
    cell: ({ account }) => account,
  },
  {
    id: 'sets',
    title: 'Data sets',
    width: '6rem',
    order: 'dataSets',
    isNumber: true,
    isExtra: true,
    cell: ({ dataSets }) => count(dataSets),
  },
  {
    id: 'pending',
    title: 'Pending',
    width: '5.5rem',
    order: 'pendingInvitations',
    isNumber: true,
    isExtra: true,
    cell: ({ pendingInvitations }) => count(pendingInvitations),
  },
  {
    id: 'consumers',
    title: 'Consumers',
    width: '6.5rem',
    order: 'consumers',
    isNumber: true,
    cell: ({ consumers }) => count(consumers),
  },
  {
    id: 'schedule',
    title: 'Schedule',
    width: '6rem',
    order: 'recurrenceInterval',
    cell: ({ recurrenceInterval }) => recurrenceInterval && `every ${recurrenceInterval.toLowerCase()}`,
  },
  {
    id: 'created',
    title: 'Created',
    width: '6rem',
    order: 'createdAt',
    isExtra: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

/** The providers' side: shares of all accounts. */
export function Sent() {
  const [, ...segments] = useSegments('datashare');
  const { $filter, $orderby } = useListQuery(SEARCHED, QUICK);
  const rows = useControlRows('/_jar/datashare/shares', { query: { $filter, $orderby }, keyOf, on: SIGNALS });
  const open = segments.length === 4 ? idOf('sent', segments) : undefined;
  return (
    <Explorer
      label="Share"
      closed={addressOf('datashare', 'sent')}
      list={
        <>
          <FilterBar placeholder="Name, account or OData expression" quick={QUICK} failure={rows.failure} />
          <List
            label="Shares"
            source={rows}
            keyOf={keyOf}
            columns={COLUMNS}
            addressOf={(row) => ownedAddress('sent', row)}
            open={open?.toLowerCase()}
            empty={
              <Empty
                title={$filter === undefined ? 'There is no share yet' : 'No share matches the filter'}
                {...($filter === undefined && { command: exampleFor(location.origin) })}
              >
                A share has data sets of a provider, under terms. Consumers are invited to it, and copy the data.
              </Empty>
            }
          />
        </>
      }
      detail={open === undefined ? undefined : <ShareDetail key={open} id={open} />}
    />
  );
}

const exampleFor = (origin: string): string =>
  [
    'ACCOUNT=/subscriptions/…/resourceGroups/{group}/providers/Vendor.DataShare/accounts/{account}',
    `${CURL} -s -X PUT "${origin}$ACCOUNT/shares/numbers?api-version=2021-08-01" \\`,
    '  -H "Authorization: Bearer $(npx cloudjar token)" -H \'content-type: application/json\' \\',
    '  -d \'{"properties":{"description":"Figures","terms":"Be kind"}}\'',
  ].join('\n');
