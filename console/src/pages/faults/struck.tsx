import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { milliseconds } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { FILTER_PARAM } from '../../shared/list/filter-bar.tsx';
import { withQuery } from '../../shared/list/pages.ts';
import { StatusBadge } from '../../shared/ui/badge.tsx';
import { Stack } from '../../shared/ui/layout.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import type { Rule } from './rule.ts';

const MOST = 50;

/** The requests and deliveries that a rule struck, the newest first, as long as they are in the jar's memory. */
export function Struck({ rule: { id, hits } }: { readonly rule: Rule }) {
  const $filter = `fault eq '${id}'`;
  const requests = useData(
    ['fault', id, 'struck'],
    (signal) => dataOf(control.GET('/_jar/requests', { params: { query: { $filter, $top: MOST } }, signal })),
    { on: ['requests', 'deliveries'] },
  );
  return (
    <Stack>
      <FailureNotice failure={requests.failure} what="The requests" />
      <Table
        label="Requests that the rule struck"
        items={requests.data?.value ?? []}
        keyOf={(request) => request.id}
        empty={
          hits === 0 ? 'It struck nothing yet.' : 'The requests that it struck are no longer in the memory of the jar.'
        }
        columns={[
          {
            title: 'Request',
            cell: ({ id: request, method, path, target }) => (
              <Link href={addressOf('requests', request)}>
                {method} {path ?? target}
              </Link>
            ),
          },
          { title: 'Answer', cell: ({ status }) => <StatusBadge status={status} /> },
          { title: 'Took', isNumber: true, cell: ({ ms }) => milliseconds(ms) },
          { title: 'When', cell: ({ at }) => <Time at={at} /> },
        ]}
      />
      {hits > 0 && (
        <p>
          <Link href={withQuery(addressOf('requests'), { [FILTER_PARAM]: $filter })}>All of them in the requests</Link>
        </p>
      )}
    </Stack>
  );
}
