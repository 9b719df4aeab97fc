import { useState } from 'react';
import { useAction } from '../../../shared/api/use-action.ts';
import { useData } from '../../../shared/api/use-data.ts';
import { useMayChange } from '../../../shared/session.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Row, Soft, Stack } from '../../../shared/ui/layout.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { usePlatform } from '../api.ts';
import { COMPUTE_CHANGE, readMachines } from '../compute/api.ts';
import { To } from '../place.tsx';

type Values = readonly (string | null)[];

interface Result {
  readonly status: { readonly state: string; readonly error?: { readonly message?: string } };
  readonly manifest?: { readonly schema: { readonly columns?: readonly { readonly name: string }[] } };
  readonly result?: { readonly data_array?: readonly Values[] };
}

const MOST = 50;

/** Some rows of a table, which a SQL warehouse reads on request. */
export function TableRows({ fullName }: { readonly fullName: string }) {
  const platform = usePlatform();
  const mayChange = useMayChange();
  const [read, setRead] = useState<Result>();
  const machines = useData([platform.key, 'compute'], (signal) => readMachines(platform, signal), {
    on: COMPUTE_CHANGE,
  });
  const warehouses = machines.data?.filter(({ kind }) => kind === 'warehouse') ?? [];
  const warehouse = warehouses.find(({ state }) => state === 'RUNNING') ?? warehouses[0];
  const run = useAction(
    () =>
      platform.post<Result>('/api/2.0/sql/statements', {
        warehouse_id: warehouse?.id,
        statement: `SELECT * FROM ${quoted(fullName)} LIMIT ${MOST}`,
        wait_timeout: '10s',
        on_wait_timeout: 'CANCEL',
      }),
    { inline: true, after: setRead },
  );
  if (!mayChange) return <Soft>Rows are read by a SQL statement, which readers may not run.</Soft>;
  if (!warehouse)
    return (
      <p>
        Rows are read by a SQL warehouse, and there is none: <To to={['compute']}>clusters and warehouses</To>.
      </p>
    );
  const columns = read?.manifest?.schema.columns ?? [];
  return (
    <Stack>
      <Row>
        <Button onPress={() => void run.run()} isDisabled={run.isRunning}>
          Read {MOST} rows
        </Button>
        <Soft>
          with the warehouse {warehouse.name}, which is {warehouse.state.toLowerCase()}
        </Soft>
      </Row>
      {run.failure && <Notice tone="failure" title={run.failure.message} />}
      {read && read.status.state !== 'SUCCEEDED' && (
        <Notice tone="failure" title={`The statement ended as ${read.status.state.toLowerCase()}.`}>
          {read.status.error?.message}
        </Notice>
      )}
      {columns.length > 0 && (
        <Table
          label="Rows of the table"
          items={read?.result?.data_array ?? []}
          keyOf={(_, index) => String(index)}
          empty="The table has no rows."
          columns={columns.map(({ name }, index) => ({
            title: name,
            cell: (row: Values) => row[index] ?? <Soft>null</Soft>,
          }))}
        />
      )}
    </Stack>
  );
}

/** Names may contain anything but a period. */
const quoted = (fullName: string): string =>
  fullName
    .split('.')
    .map((name) => `\`${name.replaceAll('`', '``')}\``)
    .join('.');
