import { useData } from '../../../shared/api/use-data.ts';
import { milliseconds } from '../../../shared/format/numbers.ts';
import { Time } from '../../../shared/format/time.tsx';
import { StateBadge } from '../../../shared/ui/badge.tsx';
import { Stack } from '../../../shared/ui/layout.tsx';
import { FailureNotice } from '../../../shared/ui/notice.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { usePlatform } from '../api.ts';
import { COMPUTE_CHANGE } from './api.ts';

interface Statement {
  readonly query_id: string;
  readonly query_text?: string;
  readonly status: string;
  readonly error_message?: string;
  readonly query_start_time_ms?: number;
  readonly duration?: number;
}

/** The newest statements of a warehouse. */
export function Statements({ id }: { readonly id: string }) {
  const platform = usePlatform();
  const statements = useData(
    [platform.key, 'statements', id],
    (signal) =>
      platform.get<{ readonly res?: readonly Statement[] }>(
        '/api/2.0/sql/history/queries',
        { max_results: 100, 'filter_by.warehouse_ids': id },
        signal,
      ),
    { on: COMPUTE_CHANGE },
  );
  return (
    <Stack>
      <FailureNotice failure={statements.failure} what="The statements" />
      <Table
        label="Statements of the warehouse"
        items={statements.data?.res ?? []}
        keyOf={({ query_id }) => query_id}
        empty={statements.data && 'The warehouse has run no statement yet.'}
        columns={[
          { title: 'Statement', cell: ({ query_text = '' }) => <code>{query_text}</code> },
          { title: 'State', cell: ({ status }) => <StateBadge state={status.toLowerCase()} /> },
          { title: 'Started', cell: ({ query_start_time_ms }) => <Time at={query_start_time_ms} /> },
          {
            title: 'Took',
            isNumber: true,
            cell: ({ duration }) => (duration === undefined ? '' : milliseconds(duration)),
          },
          { title: 'Message', cell: ({ error_message = '' }) => error_message },
        ]}
      />
    </Stack>
  );
}
