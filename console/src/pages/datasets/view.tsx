import { ArrowLeft } from 'lucide-react';
import { addressOf, useAddressParam, useGo, useSegments } from '../../shared/address.ts';
import { count } from '../../shared/format/numbers.ts';
import { CURL } from '../../shared/format/shell.ts';
import { Time } from '../../shared/format/time.tsx';
import { useKeys } from '../../shared/keys.tsx';
import { Explorer } from '../../shared/list/explorer.tsx';
import { bothOf, filterOf } from '../../shared/list/filter.ts';
import { FilterBar, useFilter } from '../../shared/list/filter-bar.tsx';
import { type Column, List, ORDER_PARAM } from '../../shared/list/list.tsx';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { useMayChange } from '../../shared/session.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Page } from '../../shared/ui/layout.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { type Dataset, idFilterOf } from './api.ts';
import { DatasetDetail } from './dataset-detail.tsx';
import { NewDataset } from './new-dataset.tsx';

const QUICK = [
  { id: 'push', title: 'Push', filter: "mode eq 'Push'" },
  { id: 'streaming', title: 'Streaming', filter: "mode ne 'Push'" },
  { id: 'filled', title: 'With rows', filter: 'rows gt 0' },
] as const;

const keyOf = ({ id }: Dataset): string => id;

const COLUMNS: readonly Column<Dataset>[] = [
  { id: 'name', title: 'Dataset', width: 'minmax(8rem, 2fr)', order: 'name', cell: ({ name }) => name },
  {
    id: 'workspace',
    title: 'Workspace',
    width: 'minmax(6rem, 1fr)',
    isExtra: true,
    cell: ({ workspace }) => workspace,
  },
  { id: 'mode', title: 'Mode', width: '9rem', order: 'mode', isExtra: true, cell: ({ mode }) => <Badge>{mode}</Badge> },
  { id: 'rows', title: 'Rows', width: '6rem', order: 'rows', isNumber: true, cell: ({ rows }) => count(rows) },
  {
    id: 'pushed',
    title: 'Pushed',
    width: '6rem',
    order: 'pushedRows',
    isNumber: true,
    isExtra: true,
    cell: ({ pushedRows }) => count(pushedRows),
  },
  { id: 'last', title: 'Last push', width: '7rem', cell: ({ tables }) => <Time at={lastPush(tables)} /> },
  {
    id: 'created',
    title: 'Created',
    width: '7rem',
    order: 'createdAt',
    isExtra: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

const lastPush = (tables: Dataset['tables']): string | undefined =>
  tables
    .flatMap(({ lastPushAt }) => lastPushAt ?? [])
    .toSorted()
    .at(-1);

/** The push datasets of all workspaces; an open one takes the whole page, because rows and charts need its width. */
export default function Datasets() {
  const [open] = useSegments('datasets');
  return open === undefined ? <DatasetList /> : <OpenDataset key={open} id={open} />;
}

function OpenDataset({ id }: { readonly id: string }) {
  const go = useGo();
  const back = (): void => go(addressOf('datasets'));
  useKeys([{ key: 'Escape', does: 'Back to the list', run: back }]);
  return (
    <Page
      title="Push datasets"
      actions={
        <Button look="quiet" onPress={back}>
          <ArrowLeft size={14} aria-hidden /> All datasets
        </Button>
      }
    >
      <DatasetDetail id={id} />
    </Page>
  );
}

function DatasetList() {
  const { text, quick } = useFilter();
  const [order] = useAddressParam(ORDER_PARAM);
  const [making, make] = useAddressParam('new');
  const mayChange = useMayChange();
  const $filter = bothOf(QUICK.find(({ id }) => id === quick)?.filter, idFilterOf(text) ?? filterOf(text, ['name']));
  const rows = useControlRows('/_jar/datasets', {
    query: { $filter, $orderby: order },
    keyOf,
    on: ['changes', 'work'],
  });
  return (
    <Page title="Push datasets" about="Typed tables that programs push rows into, and query." isFull>
      <Explorer
        label="Dataset"
        closed={addressOf('datasets')}
        detail={undefined}
        list={
          <>
            <FilterBar placeholder="Name, id or OData expression" quick={QUICK} failure={rows.failure}>
              {mayChange && <Button onPress={() => make('dataset')}>Create a dataset</Button>}
            </FilterBar>
            <List
              label="Datasets"
              source={rows}
              keyOf={keyOf}
              columns={COLUMNS}
              addressOf={({ id }) => addressOf('datasets', id)}
              empty={
                <Empty
                  title={$filter === undefined ? 'There is no dataset yet' : 'No dataset matches the filter'}
                  {...($filter === undefined && { command: EXAMPLE })}
                >
                  A push dataset is a set of typed tables. Programs push rows into them over HTTP, and dashboards
                  follow.
                </Empty>
              }
            />
          </>
        }
      />
      {making === 'dataset' && <NewDataset close={() => make(undefined)} />}
    </Page>
  );
}

const EXAMPLE = [
  `${CURL} '${location.origin}/v1.0/myorg/datasets' -H "Authorization: Bearer $(npx cloudjar token)"`,
  '  -H \'Content-Type: application/json\' -d \'{"name":"Sales","tables":[{"name":"Sale","columns":',
  '  [{"name":"City","dataType":"String"},{"name":"Amount","dataType":"Decimal"},{"name":"At","dataType":"DateTime"}]}]}\'',
].join(' \\\n');
