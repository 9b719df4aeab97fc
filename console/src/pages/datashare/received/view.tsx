import { addressOf, useSegments } from '../../../shared/address.ts';
import { count } from '../../../shared/format/numbers.ts';
import { CURL } from '../../../shared/format/shell.ts';
import { Time } from '../../../shared/format/time.tsx';
import { Explorer } from '../../../shared/list/explorer.tsx';
import { FilterBar } from '../../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../../shared/list/list.tsx';
import { useListQuery } from '../../../shared/list/list-query.ts';
import { useControlRows } from '../../../shared/list/use-rows.ts';
import { StateBadge } from '../../../shared/ui/badge.tsx';
import { Empty } from '../../../shared/ui/notice.tsx';
import { idOf, ownedAddress, type ShareSubscription, SIGNALS } from '../api.ts';
import { SubscriptionDetail } from './subscription-detail.tsx';

const QUICK = [
  { id: 'scheduled', title: 'Scheduled', filter: "triggerStatus eq 'Active'" },
  { id: 'failed', title: 'Last failed', filter: "lastStatus eq 'Failed'" },
] as const;

const SEARCHED = ['name', 'account', 'shareName', 'providerName'];

const keyOf = ({ id }: ShareSubscription): string => id.toLowerCase();

const COLUMNS: readonly Column<ShareSubscription>[] = [
  { id: 'name', title: 'Share subscription', width: 'minmax(8rem, 2fr)', order: 'name', cell: ({ name }) => name },
  {
    id: 'status',
    title: 'Status',
    width: '7rem',
    order: 'status',
    cell: ({ status }) => <StateBadge state={status} />,
  },
  {
    id: 'account',
    title: 'Account',
    width: 'minmax(6rem, 1fr)',
    order: 'account',
    isExtra: true,
    cell: ({ account }) => account,
  },
  {
    id: 'share',
    title: 'Share',
    width: 'minmax(8rem, 1.5fr)',
    order: 'shareName',
    isExtra: true,
    cell: ({ shareName, providerTenantName }) => `${shareName}, ${providerTenantName}`,
  },
  {
    id: 'mappings',
    title: 'Mapped',
    width: '5rem',
    order: 'mappings',
    isNumber: true,
    isExtra: true,
    cell: ({ mappings }) => count(mappings),
  },
  {
    id: 'last',
    title: 'Last',
    width: '7rem',
    order: 'lastStatus',
    cell: ({ lastStatus }) => lastStatus !== undefined && <StateBadge state={lastStatus} />,
  },
  {
    id: 'next',
    title: 'Next',
    width: '6rem',
    order: 'nextSynchronizationAt',
    isExtra: true,
    cell: ({ nextSynchronizationAt }) => <Time at={nextSynchronizationAt} />,
  },
];

/** The consumers' side: share subscriptions of all accounts. */
export function Received() {
  const [, ...segments] = useSegments('datashare');
  const { $filter, $orderby } = useListQuery(SEARCHED, QUICK);
  const rows = useControlRows('/_jar/datashare/subscriptions', {
    query: { $filter, $orderby },
    keyOf,
    on: SIGNALS,
  });
  const open = segments.length === 4 ? idOf('received', segments) : undefined;
  return (
    <Explorer
      label="Share subscription"
      closed={addressOf('datashare', 'received')}
      list={
        <>
          <FilterBar placeholder="Name, share or OData expression" quick={QUICK} failure={rows.failure} />
          <List
            label="Share subscriptions"
            source={rows}
            keyOf={keyOf}
            columns={COLUMNS}
            addressOf={(row) => ownedAddress('received', row)}
            open={open?.toLowerCase()}
            empty={
              <Empty
                title={$filter === undefined ? 'No share was accepted yet' : 'No share subscription matches the filter'}
                {...($filter === undefined && { command: exampleFor(location.origin) })}
              >
                A share subscription accepts the invitation to a share. Its data sets are mapped to targets, and
                synchronized.
              </Empty>
            }
          />
        </>
      }
      detail={open === undefined ? undefined : <SubscriptionDetail key={open} id={open} />}
    />
  );
}

const exampleFor = (origin: string): string =>
  [
    '# the invitations to a user',
    `${CURL} -s "${origin}/providers/Vendor.DataShare/listInvitations?api-version=2021-08-01" \\`,
    '  -H "Authorization: Bearer $(npx cloudjar token --user other)"',
  ].join('\n');
