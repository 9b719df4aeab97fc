import { type ReactNode, useState } from 'react';
import { addressOf, useAddressParam, useGo } from '../../shared/address.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { counted } from '../../shared/format/numbers.ts';
import { CURL, quoted } from '../../shared/format/shell.ts';
import { filterOf, literal } from '../../shared/list/filter.ts';
import { FilterBar } from '../../shared/list/filter-bar.tsx';
import { readControlPage, withQuery } from '../../shared/list/pages.ts';
import { useRows } from '../../shared/list/use-rows.ts';
import { useMayChange } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { Row, Soft, Stack } from '../../shared/ui/layout.tsx';
import { Empty, FailureNotice } from '../../shared/ui/notice.tsx';
import { asOwner, type Column, type Dataset, ownPathOf, rowsPath, type StoredRow, type Table } from './api.ts';
import { PushRow } from './push-row.tsx';
import { RowGrid } from './row-grid.tsx';

const PAGE = 100;
/** Only such names can be written in a filter. */
const IDENTIFIER = /^[A-Za-z_]\w*$/;
const keyOf = ({ number }: StoredRow): string => String(number);
const nameable = ({ name }: Column): boolean => IDENTIFIER.test(name);

interface Props {
  readonly dataset: Dataset;
  readonly table: Table;
  /** Chooses another table. */
  readonly choice: ReactNode;
}

/** The rows of a table, the newest first; new ones wait above. */
export function Rows({ dataset, table, choice }: Props) {
  const mayChange = useMayChange();
  const go = useGo();
  const [text] = useAddressParam('where');
  const [order, setOrder] = useAddressParam('by');
  const [isPushing, setPushing] = useState(false);
  const { columns } = table;
  const texts = columns.filter((column) => column.dataType === 'String' && nameable(column));
  const $filter = filterOf(
    text,
    texts.map(({ name }) => `values/${name}`),
  );
  const path = withQuery(rowsPath(dataset.id, table.name), { $top: PAGE, $filter: $filter || text, $orderby: order });
  const rows = useRows<StoredRow>({
    listKey: path,
    read: (link, signal) => readControlPage(link ?? path, signal),
    keyOf,
    on: ['changes', 'work'],
  });
  const clear = useAction(() => asOwner(dataset, 'DELETE', `/tables/${encodeURIComponent(table.name)}/rows`), {
    done: 'The rows were deleted.',
    after: rows.readAgain,
  });
  const isEmpty = rows.rows.length === 0 && !rows.isLoading;
  const numeric = columns.find((column) => column.dataType !== 'String' && nameable(column));
  return (
    <Stack>
      <Row align="end">
        {choice}
        {mayChange && <Button onPress={() => setPushing(!isPushing)}>Push a row</Button>}
        <Button onPress={() => go(queryAddress(dataset, table))}>Query</Button>
        {mayChange && table.rows > 0 && (
          <Confirm
            label="Delete all rows"
            question={`Delete ${counted(table.rows, 'row')} of ${table.name}?`}
            onConfirm={() => void clear.run()}
          />
        )}
      </Row>
      {isPushing && <PushRow dataset={dataset} table={table} close={() => setPushing(false)} after={rows.readAgain} />}
      <div>
        <FilterBar
          param="where"
          placeholder={numeric ? `Text, or an OData expression: values/${numeric.name} ne null` : 'Text'}
          failure={rows.failure}
        />
      </div>
      {rows.failure?.target !== '$filter' && <FailureNotice failure={rows.failure} what="The rows" />}
      {rows.waiting > 0 && (
        <Row>
          <Button look="main" onPress={rows.showWaiting}>
            {rows.waiting} new
          </Button>
        </Row>
      )}
      {isEmpty && !rows.failure ? (
        <Empty
          title={text === undefined ? `${table.name} has no row yet` : 'No row matches the filter'}
          {...(text === undefined && { command: commandFor(dataset, table) })}
        >
          Rows appear here as soon as they are pushed.
        </Empty>
      ) : (
        <>
          <RowGrid
            label={`Rows of ${table.name}`}
            columns={[
              { name: '#', type: 'Int64', order: 'number' },
              ...columns.map((column) => ({
                name: column.name,
                type: column.dataType,
                order: nameable(column) ? `values/${column.name}` : undefined,
              })),
            ]}
            rows={rows.rows}
            keyOf={keyOf}
            cellOf={({ number, values }, column) => (column === '#' ? number : values[column])}
            isStale={rows.isStale}
            order={order}
            onOrder={setOrder}
          />
          <Row>
            <Soft>
              {counted(rows.rows.length, 'row')} of {counted(table.rows, 'row')} in the table
            </Soft>
            {rows.hasMore && <Button onPress={rows.loadMore}>Show more</Button>}
          </Row>
        </>
      )}
    </Stack>
  );
}

function queryAddress({ id }: Dataset, { name }: Table): string {
  const q = `EVALUATE TOPN(100, ${literal(name)})`;
  return `${addressOf('datasets', id)}?${new URLSearchParams({ tab: 'query', q })}`;
}

/** One row with an example for every column. */
function commandFor(dataset: Dataset, { name, columns }: Table): string {
  const row = Object.fromEntries(columns.map((column) => [column.name, EXAMPLES[column.dataType] ?? 'text']));
  const body = quoted(JSON.stringify({ rows: [row] }));
  return [
    `${CURL} '${location.origin}${ownPathOf(dataset)}/tables/${encodeURIComponent(name)}/rows'`,
    `  -H "Authorization: Bearer $(npx cloudjar token)" -H 'Content-Type: application/json'`,
    `  -d ${body}`,
  ].join(' \\\n');
}

const EXAMPLES: Readonly<Record<string, unknown>> = {
  Int64: 1,
  Double: 1.5,
  Decimal: 12.5,
  Boolean: true,
  DateTime: '2026-01-05T13:04:09Z',
  String: 'Oslo',
};
