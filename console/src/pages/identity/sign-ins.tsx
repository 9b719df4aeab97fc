import { addressOf } from '../../shared/address.ts';
import { CURL } from '../../shared/format/shell.ts';
import { Time } from '../../shared/format/time.tsx';
import { Explorer } from '../../shared/list/explorer.tsx';
import { FilterBar } from '../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../shared/list/list.tsx';
import { useListQuery } from '../../shared/list/list-query.ts';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { Empty } from '../../shared/ui/notice.tsx';
import type { SignIn } from './directory.ts';
import { Outcome } from './outcome.tsx';
import { SignInDetail } from './sign-in-detail.tsx';

const QUICK = [
  { id: 'failed', title: 'Failed', filter: "outcome eq 'failed'" },
  { id: 'succeeded', title: 'Succeeded', filter: "outcome eq 'succeeded'" },
  { id: 'pages', title: 'On pages', filter: "flow in ('authorize','device page')" },
  { id: 'applications', title: 'Of applications', filter: "flow eq 'client_credentials'" },
] as const;
const SEARCHED = ['username', 'application', 'applicationId', 'requestId'];

const keyOf = ({ id }: SignIn): string => id;

const COLUMNS: readonly Column<SignIn>[] = [
  { id: 'when', title: 'When', width: '6rem', cell: ({ at }) => <Time at={at} /> },
  { id: 'result', title: 'Result', width: '7.5rem', cell: (signIn) => <Outcome signIn={signIn} /> },
  {
    id: 'who',
    title: 'Who',
    width: 'minmax(6rem, 2fr)',
    cell: ({ username, flow }) => username ?? (flow === 'client_credentials' ? 'the application itself' : 'unknown'),
  },
  {
    id: 'application',
    title: 'Application',
    width: 'minmax(6rem, 1.5fr)',
    isExtra: true,
    cell: ({ application, applicationId }) => application ?? applicationId,
  },
  { id: 'flow', title: 'How', width: '9rem', isExtra: true, cell: ({ flow }) => flow },
  {
    id: 'error',
    title: 'Error',
    width: 'minmax(6rem, 3fr)',
    isExtra: true,
    cell: ({ error }) => error?.message,
  },
];

export function SignIns({ open }: { readonly open: string | undefined }) {
  const { $filter, $orderby } = useListQuery(SEARCHED, QUICK);
  const rows = useControlRows('/_jar/sign-ins', {
    query: { $filter, $orderby },
    keyOf,
    on: ['requests'],
    follow: open === undefined,
  });
  const list = (
    <>
      <FilterBar placeholder="User, application, request id or OData expression" quick={QUICK} failure={rows.failure} />
      <List
        label="Sign-ins"
        source={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={({ id }) => addressOf('identity', 'sign-ins', id)}
        open={open}
        empty={
          <Empty
            title={$filter === undefined ? 'Nobody has signed in yet' : 'No sign-in matches the filter'}
            {...($filter === undefined && { command: EXAMPLE })}
          >
            Every sign-in of a user or an application appears here, with the error of failed ones.
          </Empty>
        }
      />
    </>
  );
  return (
    <Explorer
      label="Sign-in"
      closed={addressOf('identity', 'sign-ins')}
      list={list}
      detail={open === undefined ? undefined : <SignInDetail key={open} id={open} />}
    />
  );
}

const EXAMPLE = `${CURL} '${location.origin}/common/oauth2/v2.0/token' -d grant_type=password -d client_id=04b07795-8ddb-461a-bbee-02f9e1bf7b46 -d username=admin -d password=cloudjar -d scope=https://management.vendor.example/.default`;
