import { Link } from 'wouter';
import { bytes, counted } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { literal } from '../../shared/list/filter.ts';
import { type Rows, useControlRows } from '../../shared/list/use-rows.ts';
import { StateBadge } from '../../shared/ui/badge.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { type Run, runAddress, SIGNALS } from './api.ts';

/** The newest synchronizations of a share or of a share subscription. */
export function useRuns(property: 'shareId' | 'shareSubscriptionId', id: string): Rows<Run> {
  return useControlRows('/_jar/datashare/synchronizations', {
    query: { $filter: `${property} eq ${literal(id)}`, $top: 50 },
    keyOf: (run) => run.id,
    on: SIGNALS,
    follow: true,
  });
}

export function RunsTable({
  runs,
  withConsumer = false,
}: {
  readonly runs: readonly Run[];
  readonly withConsumer?: boolean;
}) {
  return (
    <Table
      label="Synchronizations"
      items={runs}
      keyOf={({ id }) => id}
      empty="Nothing was synchronized yet."
      columns={[
        {
          title: 'Queued',
          cell: ({ id, queuedAt }) => (
            <Link href={runAddress(id)}>
              <Time at={queuedAt} />
            </Link>
          ),
        },
        { title: 'Status', cell: ({ status }) => <StateBadge state={status} /> },
        ...(withConsumer ? [{ title: 'Consumer', cell: ({ consumerName }: Run) => consumerName }] : []),
        { title: 'By', cell: ({ startedBy }) => startedBy },
        {
          title: 'Copied',
          cell: ({ filesWritten, sizeWritten, message }) =>
            message ?? `${counted(filesWritten, 'file')}, ${bytes(sizeWritten)}`,
        },
      ]}
    />
  );
}
