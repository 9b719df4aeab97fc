import { Link } from 'wouter';
import { addressOf, useAddressParam, useSegments } from '../../../shared/address.ts';
import { control, dataOf } from '../../../shared/api/control.ts';
import { useData } from '../../../shared/api/use-data.ts';
import { Time } from '../../../shared/format/time.tsx';
import { Explorer } from '../../../shared/list/explorer.tsx';
import { bothOf, filterOf } from '../../../shared/list/filter.ts';
import { FilterBar, useFilter } from '../../../shared/list/filter-bar.tsx';
import { type Column, List, ORDER_PARAM } from '../../../shared/list/list.tsx';
import { useControlRows } from '../../../shared/list/use-rows.ts';
import { StateBadge } from '../../../shared/ui/badge.tsx';
import { CopyId } from '../../../shared/ui/copy.tsx';
import { Detail } from '../../../shared/ui/detail.tsx';
import { Facts, Section, Stack } from '../../../shared/ui/layout.tsx';
import { Empty } from '../../../shared/ui/notice.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { type Account, ownedAddress, SIGNALS } from '../api.ts';

const OF_TYPE = "type eq 'Vendor.DataShare/accounts'";
const SEARCHED = ['name', 'resourceGroup'];

const keyOf = ({ subscriptionId, resourceGroup, name }: Account): string =>
  `${subscriptionId}/${resourceGroup}/${name}`.toLowerCase();

const COLUMNS: readonly Column<Account>[] = [
  { id: 'name', title: 'Account', width: 'minmax(8rem, 2fr)', order: 'name', cell: ({ name }) => name },
  {
    id: 'group',
    title: 'Resource group',
    width: 'minmax(8rem, 1fr)',
    order: 'resourceGroup',
    cell: (row) => row.resourceGroup,
  },
  {
    id: 'location',
    title: 'Location',
    width: '8rem',
    order: 'location',
    isExtra: true,
    cell: ({ location }) => location,
  },
  {
    id: 'state',
    title: 'State',
    width: '7rem',
    isExtra: true,
    cell: (row) => <StateBadge state={row.provisioningState} />,
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

/** Accounts of providers and consumers, which have the shares and share subscriptions. */
export function Accounts() {
  const [, ...segments] = useSegments('datashare');
  const { text } = useFilter();
  const [order] = useAddressParam(ORDER_PARAM);
  const $filter = bothOf(OF_TYPE, filterOf(text, SEARCHED));
  const rows = useControlRows('/_jar/resources', { query: { $filter, $orderby: order }, keyOf, on: SIGNALS });
  const open = segments.length === 3 ? segments.join('/').toLowerCase() : undefined;
  const opened = rows.rows.find((row) => keyOf(row) === open);
  return (
    <Explorer
      label="Account"
      closed={addressOf('datashare', 'accounts')}
      list={
        <>
          <FilterBar placeholder="Name, resource group or OData expression" failure={rows.failure} />
          <List
            label="Accounts"
            source={rows}
            keyOf={keyOf}
            columns={COLUMNS}
            addressOf={(row) => addressOf('datashare', 'accounts', row.subscriptionId, row.resourceGroup, row.name)}
            open={open}
            empty={
              <Empty
                title={text === undefined ? 'There is no account yet' : 'No account matches the filter'}
                {...(text === undefined && { command: exampleFor(location.origin) })}
              >
                An account has the shares that its owner offers, and those that its owner has accepted.
              </Empty>
            }
          />
        </>
      }
      detail={opened && <AccountDetail key={keyOf(opened)} account={opened} />}
    />
  );
}

function AccountDetail({ account }: { readonly account: Account }) {
  const { subscriptionId, resourceGroup, name } = account;
  const owned = useData(
    ['datashare', 'owned', account.id],
    async (signal) => {
      const $filter = `subscriptionId eq ${subscriptionId} and resourceGroup eq '${resourceGroup}' and account eq '${name}'`;
      const at = { params: { query: { $filter } }, signal };
      const [sent, received] = await Promise.all([
        dataOf(control.GET('/_jar/datashare/shares', at)),
        dataOf(control.GET('/_jar/datashare/subscriptions', at)),
      ]);
      return { sent: sent.value, received: received.value };
    },
    { on: SIGNALS },
  );
  return (
    <Detail kind="Account" title={name} failure={owned.failure} badges={<CopyId id={account.id} />}>
      <Stack>
        <Section title="Sent">
          <Table
            label="Shares of the account"
            items={owned.data?.sent ?? []}
            keyOf={({ id }) => id}
            empty="The account offers no share."
            columns={[
              { title: 'Share', cell: (share) => <Link href={ownedAddress('sent', share)}>{share.name}</Link> },
              { title: 'Data sets', isNumber: true, cell: ({ dataSets }) => dataSets },
              { title: 'Consumers', isNumber: true, cell: ({ consumers }) => consumers },
            ]}
          />
        </Section>
        <Section title="Received">
          <Table
            label="Share subscriptions of the account"
            items={owned.data?.received ?? []}
            keyOf={({ id }) => id}
            empty="The account has accepted no share."
            columns={[
              { title: 'Share subscription', cell: (it) => <Link href={ownedAddress('received', it)}>{it.name}</Link> },
              { title: 'Status', cell: ({ status }) => <StateBadge state={status} /> },
              {
                title: 'Last',
                cell: ({ lastStatus }) => lastStatus !== undefined && <StateBadge state={lastStatus} />,
              },
            ]}
          />
        </Section>
        <Facts
          facts={[
            { label: 'Subscription', value: <CopyId id={subscriptionId} length={40} /> },
            { label: 'Resource group', value: resourceGroup },
            { label: 'Location', value: account.location },
            { label: 'Created', value: <Time at={account.createdAt} /> },
          ]}
        />
      </Stack>
    </Detail>
  );
}

const exampleFor = (origin: string): string =>
  [
    'GROUP=/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/giving',
    'put() { curl -sk -X PUT "$1" -H "Authorization: Bearer $(npx cloudjar token)" -H \'content-type: application/json\' -d "$2"; }',
    `put "${origin}$GROUP?api-version=2021-04-01" '{"location":"eastus"}'`,
    `put "${origin}$GROUP/providers/Vendor.DataShare/accounts/giver?api-version=2021-08-01" '{"location":"eastus","identity":{"type":"SystemAssigned"}}'`,
  ].join('\n');
