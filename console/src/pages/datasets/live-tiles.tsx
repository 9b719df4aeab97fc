import type { ReactNode } from 'react';
import { useAddressParam } from '../../shared/address.ts';
import { useData } from '../../shared/api/use-data.ts';
import { SeriesChart } from '../../shared/chart/series-chart.tsx';
import { count, counted } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { readControlPage, withQuery } from '../../shared/list/pages.ts';
import { Select } from '../../shared/ui/field.tsx';
import { Figure, Grid, Row, Soft, Stack } from '../../shared/ui/layout.tsx';
import { FailureNotice } from '../../shared/ui/notice.tsx';
import { type Dataset, isNumeric, rowsPath, type StoredRow, type Table } from './api.ts';
import { RowGrid } from './row-grid.tsx';

const VALUES = [
  { value: 'latest', label: 'Latest' },
  { value: 'sum', label: 'Sum' },
  { value: 'average', label: 'Average' },
  { value: 'least', label: 'Least' },
  { value: 'most', label: 'Most' },
] as const;

const WINDOWS = [
  { value: '50', label: 'Newest 50 rows' },
  { value: '200', label: 'Newest 200 rows' },
  { value: '1000', label: 'Newest 1,000 rows' },
] as const;

const SHOWN_ROWS = 8;

interface Props {
  readonly dataset: Dataset;
  readonly table: Table;
  /** Chooses another table. */
  readonly choice: ReactNode;
}

/** A tile for each number of a table, which follows the rows as they are pushed. */
export function LiveTiles({ dataset, table, choice }: Props) {
  const [value, setValue] = useAddressParam('value');
  const [last, setLast] = useAddressParam('last');
  const shown = VALUES.find((each) => each.value === value)?.value ?? 'latest';
  const size = WINDOWS.find((each) => each.value === last)?.value ?? '200';
  const rows = useData(
    ['datasets', 'tiles', dataset.id, table.name, size],
    (signal) => readControlPage<StoredRow>(withQuery(rowsPath(dataset.id, table.name), { $top: size }), signal),
    { on: ['changes', 'work'], keepPrevious: true },
  );
  const newest = rows.data?.value ?? [];
  const numbers = table.columns.filter(({ dataType }) => isNumeric(dataType));
  const growth = dataset.tables.find(({ name }) => name === table.name);
  return (
    <Stack>
      <Row align="end">
        {choice}
        <Select label="Value" value={shown} onChange={setValue} choices={VALUES} />
        <Select label="Over" value={size} onChange={setLast} choices={WINDOWS} />
        <Soft>Tiles follow the rows as they are pushed.</Soft>
      </Row>
      <FailureNotice failure={rows.failure} what="The rows" />
      <Grid>
        <Figure
          label="Rows"
          value={count(growth?.rows ?? table.rows)}
          note={
            <>
              {counted(growth?.pushedRequests ?? 0, 'push', 'pushes')}, last <Time at={growth?.lastPushAt} />
            </>
          }
        />
        {numbers.map(({ name }) => (
          <Tile key={name} name={name} shown={shown} rows={newest} />
        ))}
      </Grid>
      {numbers.length === 0 && <Soft>The table has no column of numbers, so there is no chart.</Soft>}
      <h3>Newest rows</h3>
      <RowGrid
        label="Newest rows"
        columns={table.columns.map(({ name, dataType }) => ({ name, type: dataType }))}
        rows={newest.slice(0, SHOWN_ROWS)}
        keyOf={({ number }) => number}
        cellOf={({ values }, column) => values[column]}
        isStale={rows.isStale}
      />
    </Stack>
  );
}

interface TileProps {
  readonly name: string;
  readonly shown: (typeof VALUES)[number]['value'];
  /** The newest first. */
  readonly rows: readonly StoredRow[];
}

function Tile({ name, shown, rows }: TileProps) {
  const inOrder = rows.toReversed();
  const values = inOrder.map((row) => numberOf(row.values[name]));
  const found = values.filter((value) => value !== null);
  return (
    <Figure
      label={name}
      value={found.length === 0 ? '—' : written(AGGREGATES[shown](found))}
      note={
        <SeriesChart
          label={`${name} of the newest rows`}
          at={inOrder.map(({ number }) => number)}
          series={[{ label: shown === 'latest' ? name : 'Latest', values }]}
          format={written}
          isTime={false}
          height={96}
        />
      }
    />
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const AGGREGATES: Readonly<Record<TileProps['shown'], (values: readonly number[]) => number>> = {
  latest: (values) => values.at(-1) ?? 0,
  sum,
  average: (values) => sum(values) / values.length,
  least: (values) => Math.min(...values),
  most: (values) => Math.max(...values),
};

/** Numbers with more digits than a double keeps are text. */
function numberOf(value: StoredRow['values'][string] | undefined): number | null {
  if (value === null || value === undefined || typeof value === 'boolean') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

const short = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const written = (value: number): string => short.format(value);
