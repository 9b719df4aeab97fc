import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { bytes, count } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { Section, Soft, Stack } from '../../shared/ui/layout.tsx';
import { Meter } from '../../shared/ui/meter.tsx';
import { Table } from '../../shared/ui/table.tsx';
import type { Dataset } from './api.ts';

const TITLES: Readonly<Record<string, string>> = {
  'datasets.rows-per-hour': 'Rows in this hour',
  'datasets.pushes-per-minute': 'Pushes in this minute',
  'datasets.pushes-per-hour': 'Pushes in this hour, for tables of 250,000 rows or more',
  'datasets.pending-pushes': 'Pushes without an answer so far',
};

/** How much of its limits a dataset uses now, and how its tables have grown. */
export function Limits({ dataset: { limits, tables } }: { readonly dataset: Dataset }) {
  return (
    <Stack>
      <Section
        title="Limits of pushes"
        actions={<Link href={`${addressOf('limits')}?filter=datasets`}>All limits of the service</Link>}
      >
        {limits.map(({ limit, used, maximum }) => (
          <Meter
            key={limit}
            label={TITLES[limit] ?? limit}
            value={used}
            most={maximum}
            text={`${count(used)} of ${count(maximum)}`}
          />
        ))}
        <Soft>
          Windows begin at the full minute and the full hour of the jar's clock. Rows pushed here do not count.
        </Soft>
      </Section>
      <Section title="Tables">
        <Table
          label="Growth of the tables"
          items={tables}
          keyOf={({ name }) => name}
          columns={[
            { title: 'Table', cell: ({ name }) => name },
            { title: 'Rows', isNumber: true, cell: ({ rows }) => count(rows) },
            { title: 'Pushes', isNumber: true, cell: ({ pushedRequests }) => count(pushedRequests) },
            { title: 'Rows pushed', isNumber: true, cell: ({ pushedRows }) => count(pushedRows) },
            { title: 'Bytes pushed', isNumber: true, cell: ({ pushedBytes }) => bytes(pushedBytes) },
            { title: 'Last push', cell: ({ lastPushAt }) => <Time at={lastPushAt} /> },
          ]}
        />
      </Section>
    </Stack>
  );
}
