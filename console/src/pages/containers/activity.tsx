import { Time } from '../../shared/format/time.tsx';
import { literal } from '../../shared/list/filter.ts';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { StateBadge } from '../../shared/ui/badge.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import type { FullGroup } from './api.ts';

/** Change records of the group: what was asked of it, and how its state changed. */
export function Activity({ group: { id } }: { readonly group: FullGroup }) {
  const { rows, failure } = useControlRows('/_jar/changes', {
    query: { $filter: `subject eq ${literal(id)}`, $orderby: 'cursor desc' },
    keyOf: ({ cursor }) => cursor,
    on: ['changes'],
    follow: true,
  });
  return (
    <>
      <FailureNotice failure={failure} what="The activity" />
      <Table
        label="Activity"
        items={rows}
        keyOf={({ cursor }) => cursor}
        empty="No change record of the group is kept any more."
        columns={[
          { title: 'When', cell: ({ at }) => <Time at={at} /> },
          { title: 'Outcome', cell: ({ outcome }) => <StateBadge state={outcome} /> },
          { title: 'What', cell: ({ kind, data }) => whatOf(kind, data) },
        ]}
      />
    </>
  );
}

interface Members {
  readonly [name: string]: unknown;
}

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? { ...value } : {});

/** `Pending (Creating) to Running (Succeeded)`; a request by its operation. */
function whatOf(kind: string, data: unknown): string {
  const { from, to, operationName, action } = membersOf(data);
  if (kind === 'state') return `${statesOf(from)} to ${statesOf(to)}`;
  const operation = String(operationName ?? action ?? '');
  return [kind, operation.split('/').slice(2).join('/')].filter(Boolean).join(': ');
}

const statesOf = (value: unknown): string => {
  const { state, provisioningState } = membersOf(value);
  return `${String(state)} (${String(provisioningState)})`;
};
