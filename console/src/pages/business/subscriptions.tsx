import { addressOf, useAddressParam } from '../../shared/address.ts';
import { CURL } from '../../shared/format/shell.ts';
import { Time } from '../../shared/format/time.tsx';
import { Explorer } from '../../shared/list/explorer.tsx';
import { filterOf } from '../../shared/list/filter.ts';
import { FilterBar, useFilter } from '../../shared/list/filter-bar.tsx';
import { type Column, List, ORDER_PARAM } from '../../shared/list/list.tsx';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { type LiveSubscription, NOTIFIED, subscriptionAddress } from './api.ts';
import { SubscriptionDetail } from './subscription-detail.tsx';

const SEARCHED = ['set', 'notificationUrl', 'subscriptionId', 'company/name'];

const keyOf = ({ subscriptionId }: LiveSubscription): string => subscriptionId;

const COLUMNS: readonly Column<LiveSubscription>[] = [
  { id: 'set', title: 'Set', width: 'minmax(7rem, 1fr)', order: 'set', cell: ({ set }) => set },
  { id: 'api', title: 'API', width: '6rem', order: 'api', isExtra: true, cell: ({ api }) => api },
  {
    id: 'company',
    title: 'Company',
    width: 'minmax(8rem, 1fr)',
    order: 'company/name',
    isExtra: true,
    cell: ({ company }) => company.name,
  },
  {
    id: 'to',
    title: 'To',
    width: 'minmax(8rem, 2fr)',
    order: 'notificationUrl',
    cell: ({ notificationUrl, flow }) => (
      <span title={notificationUrl}>
        {notificationUrl} {flow && <Badge tone="info">flow</Badge>}
      </span>
    ),
  },
  {
    id: 'expires',
    title: 'Expires',
    width: '6rem',
    order: 'expirationDateTime',
    cell: ({ expirationDateTime }) => <Time at={expirationDateTime} />,
  },
];

/** The live webhook subscriptions of all tenants; the ones that end first are first. */
export function Subscriptions({ rest: [open] }: { readonly rest: readonly string[] }) {
  const { text } = useFilter();
  const [order = 'expirationDateTime asc'] = useAddressParam(ORDER_PARAM);
  const $filter = filterOf(text, SEARCHED);
  const rows = useControlRows('/_jar/business/subscriptions', {
    query: { $filter, $orderby: order },
    keyOf,
    on: NOTIFIED,
  });
  const list = (
    <>
      <FilterBar placeholder="Set, address, company, id or OData expression" failure={rows.failure} />
      <List
        label="Webhook subscriptions"
        source={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={({ subscriptionId }) => subscriptionAddress(subscriptionId)}
        open={open}
        empty={
          $filter === undefined ? (
            <Empty title="There is no webhook subscription" command={EXAMPLE}>
              A subscription is notified of created, changed and deleted records of one set. It ends after three days
              unless it is renewed. The command subscribes an inbox of the jar.
            </Empty>
          ) : (
            <Empty title="No subscription matches the filter" />
          )
        }
      />
    </>
  );
  return (
    <Explorer
      label="Webhook subscription"
      closed={addressOf('business', 'subscriptions')}
      list={list}
      detail={open === undefined ? undefined : <SubscriptionDetail key={open} id={open} />}
    />
  );
}

const EXAMPLE = `TOKEN=$(npx cloudjar token)
API=${location.origin}/api/v2.0
COMPANY=$(${CURL} -s "$API/companies?\\$select=id" -H "Authorization: Bearer $TOKEN" | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
${CURL} -s "$API/subscriptions" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"notificationUrl":"${location.origin}/_jar/inbox/demo","resource":"/api/v2.0/companies('$COMPANY')/customers"}'`;
