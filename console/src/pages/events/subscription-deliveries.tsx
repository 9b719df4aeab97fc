import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { Time } from '../../shared/format/time.tsx';
import { StateBadge, StatusBadge } from '../../shared/ui/badge.tsx';
import { Stack } from '../../shared/ui/layout.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';

const MOST = 50;

/** The newest deliveries of one event subscription, its handshakes included. */
export function SubscriptionDeliveries({ id }: { readonly id: string }) {
  const owner = id.toLowerCase();
  const deliveries = useData(
    ['events', 'deliveries', owner],
    async (signal) =>
      (await dataOf(control.GET('/_jar/deliveries', { params: { query: { owner, $top: MOST } }, signal }))).value,
    { on: ['deliveries', 'work', 'changes'] },
  );
  const all = `${addressOf('deliveries')}?filter=${encodeURIComponent(`owner eq '${owner}'`)}`;
  return (
    <Stack>
      <FailureNotice failure={deliveries.failure} what="The deliveries" />
      <Table
        label="Deliveries"
        items={deliveries.data ?? []}
        keyOf={(delivery) => delivery.id}
        empty="Nothing was sent yet."
        columns={[
          {
            title: 'Delivery',
            cell: (delivery) => (
              <Link href={addressOf('deliveries', delivery.id)}>{delivery.subject ?? delivery.policy}</Link>
            ),
          },
          { title: 'State', cell: ({ state }) => <StateBadge state={state} /> },
          { title: 'Answer', cell: ({ lastAttempt }) => lastAttempt && <StatusBadge status={lastAttempt.status} /> },
          { title: 'Attempts', cell: ({ attempts }) => attempts, isNumber: true },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
      <p>
        <Link href={all}>All deliveries of this subscription</Link>
      </p>
    </Stack>
  );
}
