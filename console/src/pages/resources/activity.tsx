import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { isMembers } from '../../shared/form/schema.ts';
import { Time } from '../../shared/format/time.tsx';
import { literal } from '../../shared/list/filter.ts';
import type { RowOf } from '../../shared/list/pages.ts';
import { StateBadge } from '../../shared/ui/badge.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';

const MOST = 100;

type Change = RowOf<'/_jar/changes'>;

/** Who changed it and what is below it, the newest first, refused requests included. */
export function Activity({ id }: { readonly id: string }) {
  const changes = useData(
    ['arm-activity', id],
    async (signal) => {
      const query = { $filter: `startswith(subject,${literal(id)})`, $orderby: 'cursor desc', $top: MOST };
      return (await dataOf(control.GET('/_jar/changes', { params: { query }, signal }))).value;
    },
    { on: ['changes'] },
  );
  return (
    <>
      <FailureNotice failure={changes.failure} what="The activity" />
      <Table
        label="Activity"
        items={changes.data ?? []}
        keyOf={({ cursor }) => cursor}
        columns={[
          { title: 'Time', cell: ({ at }) => <Time at={at} /> },
          { title: 'Operation', cell: (change) => textOf(change, 'operationName') ?? change.kind },
          { title: 'At', cell: ({ subject }) => subject.slice(id.length) || 'here' },
          { title: 'Outcome', cell: ({ outcome }) => <StateBadge state={outcome} /> },
          { title: 'By', cell: (change) => textOf(change, 'caller', 'name') },
          { title: 'Error', cell: (change) => textOf(change, 'error', 'message') },
        ]}
        empty="Nothing has changed it since the records begin."
      />
    </>
  );
}

function textOf({ data }: Change, ...path: readonly string[]): string | undefined {
  let at: unknown = data;
  for (const name of path) at = isMembers(at) ? at[name] : undefined;
  return typeof at === 'string' ? at : undefined;
}
