import { useData } from '../../../shared/api/use-data.ts';
import { Time } from '../../../shared/format/time.tsx';
import { Stack } from '../../../shared/ui/layout.tsx';
import { FailureNotice } from '../../../shared/ui/notice.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { usePlatform } from '../api.ts';
import { CLUSTERS, COMPUTE_CHANGE } from './api.ts';

interface ClusterEvent {
  readonly timestamp: number;
  readonly type: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The newest events of a cluster. */
export function ClusterEvents({ id }: { readonly id: string }) {
  const platform = usePlatform();
  const events = useData(
    [platform.key, 'cluster events', id],
    (signal) =>
      platform.get<{ readonly events?: readonly ClusterEvent[] }>(
        `${CLUSTERS}/events`,
        { cluster_id: id, page_size: 100 },
        signal,
      ),
    { on: COMPUTE_CHANGE },
  );
  return (
    <Stack>
      <FailureNotice failure={events.failure} what="The events" />
      <Table
        label="Events of the cluster"
        items={events.data?.events ?? []}
        keyOf={({ timestamp, type }, index) => `${timestamp} ${type} ${index}`}
        empty={events.data && 'Nothing has happened yet.'}
        columns={[
          { title: 'Event', cell: ({ type }) => type.toLowerCase().replaceAll('_', ' ') },
          { title: 'When', cell: ({ timestamp }) => <Time at={timestamp} /> },
          { title: 'Details', cell: ({ details = {} }) => <code>{detailsText(details)}</code> },
        ]}
      />
    </Stack>
  );
}

const detailsText = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');
