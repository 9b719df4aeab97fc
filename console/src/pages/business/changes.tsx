import { addressOf } from '../../shared/address.ts';
import { CURL } from '../../shared/format/shell.ts';
import { Time } from '../../shared/format/time.tsx';
import { Explorer } from '../../shared/list/explorer.tsx';
import { FilterBar } from '../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../shared/list/list.tsx';
import { useListQuery } from '../../shared/list/list-query.ts';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { Badge, type Tone } from '../../shared/ui/badge.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { type Change, changeAddress, type Explanation, NOTIFIED } from './api.ts';
import { ChangeDetail } from './change-detail.tsx';

const QUICK = [
  { id: 'created', title: 'Created', filter: "changeType eq 'created'" },
  { id: 'updated', title: 'Updated', filter: "changeType eq 'updated'" },
  { id: 'deleted', title: 'Deleted', filter: "changeType eq 'deleted'" },
] as const;

const SEARCHED = ['table', 'recordId', 'user/name', 'company/name'];

const keyOf = ({ id }: Change): string => id;

export const STATE_TONES: Readonly<Record<Explanation['state'], Tone>> = {
  notified: 'success',
  sending: 'warning',
  waiting: 'info',
  held: 'warning',
  'not notified': 'failure',
};

const COLUMNS: readonly Column<Change>[] = [
  {
    id: 'change',
    title: 'Change',
    width: 'minmax(9rem, 1fr)',
    order: 'table',
    cell: ({ table, changeType }) => `${table} ${changeType}`,
  },
  {
    id: 'notified',
    title: 'Notified',
    width: 'minmax(8rem, 2fr)',
    cell: ({ subscriptions, summary }) => <States of={subscriptions} summary={summary} />,
  },
  {
    id: 'user',
    title: 'By',
    width: 'minmax(6rem, 1fr)',
    order: 'user/name',
    isExtra: true,
    cell: ({ user }) => user.name,
  },
  {
    id: 'company',
    title: 'Company',
    width: 'minmax(6rem, 1fr)',
    order: 'company/name',
    isExtra: true,
    cell: ({ company }) => company.name,
  },
  { id: 'record', title: 'Record', width: 'minmax(6rem, 1fr)', isExtra: true, cell: ({ recordId }) => recordId },
  { id: 'at', title: 'When', width: '6rem', order: 'at', cell: ({ at }) => <Time at={at} /> },
];

function States({ of, summary }: { readonly of: readonly Explanation[]; readonly summary: string }) {
  if (of.length === 0) return <span title={summary}>nobody subscribed</span>;
  const states = [...new Set(of.map(({ state }) => state))];
  return (
    <>
      {states.map((state) => (
        <span key={state}>
          <Badge tone={STATE_TONES[state]}>
            {state}
            {of.length > 1 && ` ${of.filter((each) => each.state === state).length}`}
          </Badge>{' '}
        </span>
      ))}
    </>
  );
}

/** Changes of records, the newest first, each with what its subscribers were told. */
export function Changes({ rest: [open] }: { readonly rest: readonly string[] }) {
  const { $filter, $orderby } = useListQuery(SEARCHED, QUICK);
  const rows = useControlRows('/_jar/business/changes', { query: { $filter, $orderby }, keyOf, on: NOTIFIED });
  const list = (
    <>
      <FilterBar placeholder="Table, record, user or OData expression" quick={QUICK} failure={rows.failure} />
      <List
        label="Changes"
        source={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={({ id }) => changeAddress(id)}
        open={open}
        empty={
          $filter === undefined ? (
            <Empty title="No record was changed yet" command={EXAMPLE}>
              Each change is here with the subscriptions that watch its table, the notification that it joined, and its
              delivery. The command creates a customer.
            </Empty>
          ) : (
            <Empty title="No change matches the filter" />
          )
        }
      />
    </>
  );
  return (
    <Explorer
      label="Change"
      closed={addressOf('business', 'changes')}
      list={list}
      detail={open === undefined ? undefined : <ChangeDetail key={open} id={open} />}
    />
  );
}

const EXAMPLE = `TOKEN=$(npx cloudjar token)
API=${location.origin}/api/v2.0
COMPANY=$(${CURL} -s "$API/companies?\\$select=id" -H "Authorization: Bearer $TOKEN" | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
${CURL} -s "$API/companies($COMPANY)/customers" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"displayName":"Coho Winery"}'`;
