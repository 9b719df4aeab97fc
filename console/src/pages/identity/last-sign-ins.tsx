import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { Time } from '../../shared/format/time.tsx';
import { FILTER_PARAM } from '../../shared/list/filter-bar.tsx';
import { withQuery } from '../../shared/list/pages.ts';
import { Stack } from '../../shared/ui/layout.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { Outcome } from './outcome.tsx';

const MOST = 20;

interface Props {
  readonly filter: string;
  readonly empty: string;
}

/** The newest sign-ins of one user or application. */
export function LastSignIns({ filter, empty }: Props) {
  const signIns = useData(
    ['sign-ins', filter],
    (signal) => dataOf(control.GET('/_jar/sign-ins', { params: { query: { $filter: filter, $top: MOST } }, signal })),
    { on: ['requests'] },
  );
  return (
    <Stack>
      <FailureNotice failure={signIns.failure} what="The sign-ins" />
      <Table
        label="Sign-ins"
        items={signIns.data?.value ?? []}
        keyOf={({ id }) => id}
        empty={empty}
        columns={[
          {
            title: 'When',
            cell: ({ id, at }) => (
              <Link href={addressOf('identity', 'sign-ins', id)}>
                <Time at={at} />
              </Link>
            ),
          },
          { title: 'Result', cell: (signIn) => <Outcome signIn={signIn} /> },
          { title: 'How', cell: ({ flow }) => flow },
          { title: 'Application', cell: ({ application, applicationId }) => application ?? applicationId },
        ]}
      />
      <p>
        <Link href={withQuery(addressOf('identity', 'sign-ins'), { [FILTER_PARAM]: filter })}>
          All in the sign-in log
        </Link>
      </p>
    </Stack>
  );
}
