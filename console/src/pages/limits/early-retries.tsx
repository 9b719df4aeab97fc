import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { count } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { literal } from '../../shared/list/filter.ts';
import { FILTER_PARAM } from '../../shared/list/filter-bar.tsx';
import { withQuery } from '../../shared/list/pages.ts';
import { Stack } from '../../shared/ui/layout.tsx';
import { Table } from '../../shared/ui/table.tsx';
import type { Limit } from './limit.ts';

/** Clients that came back before the time that `Retry-After` told them. */
export function EarlyRetries({ limit: { earlyRetries } }: { readonly limit: Limit }) {
  return (
    <Stack>
      <Table
        label="Early retries"
        items={earlyRetries}
        keyOf={({ client }) => client}
        empty="Every client that was refused has waited as long as Retry-After said."
        columns={[
          { title: 'Client', cell: ({ client, name }) => <Caller name={name} client={client} /> },
          { title: 'Times', isNumber: true, cell: ({ times }) => count(times) },
          { title: 'At most too early', isNumber: true, cell: ({ earliestBySeconds }) => seconds(earliestBySeconds) },
          { title: 'Last', cell: ({ lastAt }) => <Time at={lastAt} /> },
        ]}
      />
    </Stack>
  );
}

function Caller({ name, client }: { readonly name: string | undefined; readonly client: string }) {
  if (name === undefined) return client;
  const $filter = `caller eq ${literal(name)}`;
  return (
    <Link href={withQuery(addressOf('requests'), { [FILTER_PARAM]: $filter })} title={client}>
      {name}
    </Link>
  );
}

const TENTHS = 10;
const seconds = (value: number): string => `${Math.round(value * TENTHS) / TENTHS} s`;
