import { lastSegment } from '../../shared/format/ids.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Table } from '../../shared/ui/table.tsx';
import type { Verdict } from './api.ts';

/** Which subscriptions an event would match, and which condition the others do not meet. */
export function Verdicts({ verdicts }: { readonly verdicts: readonly Verdict[] }) {
  return (
    <Table
      label="Who would match"
      items={verdicts}
      keyOf={({ subscription }) => subscription}
      empty="Nobody subscribes to the topic."
      columns={[
        {
          title: 'Subscription',
          cell: ({ subscription }) => <span title={subscription}>{lastSegment(subscription)}</span>,
        },
        {
          title: 'Matches',
          cell: ({ matches }) => <Badge tone={matches ? 'success' : 'neutral'}>{matches ? 'yes' : 'no'}</Badge>,
        },
        { title: 'Why not', cell: ({ reason = '' }) => reason },
      ]}
    />
  );
}
