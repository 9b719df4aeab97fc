import { addressOf, useAddressParam, useSegments } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { Explorer } from '../../shared/list/explorer.tsx';
import { FilterBar, useFilter } from '../../shared/list/filter-bar.tsx';
import { type Column, List, ORDER_PARAM } from '../../shared/list/list.tsx';
import type { RowOf } from '../../shared/list/pages.ts';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { Select } from '../../shared/ui/field.tsx';
import { Mono, Page } from '../../shared/ui/layout.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { Method } from './method.tsx';
import { OperationDetail } from './operation-detail.tsx';
import { operationFilter } from './search.ts';

type Operation = RowOf<'/_jar/docs/operations'>;

const keyOf = ({ id }: Operation): string => id;

/** What hundreds of operations begin with says nothing about one of them. */
const shortPath = (path: string): string =>
  path.replace(/^\/subscriptions\/\{[^}]*\}(\/resourceGroups\/\{[^}]*\})?(?=\/providers\/)/i, '…');

const shortSummary = (summary: string, id: string): string =>
  summary === '' ? id : summary.replace(/ (?:a|the) resources? of the type /, ' ');

const COLUMNS: readonly Column<Operation>[] = [
  { id: 'method', title: 'Method', width: '4.5rem', order: 'method', cell: ({ method }) => <Method name={method} /> },
  {
    id: 'summary',
    title: 'Operation',
    width: 'minmax(8rem, 3fr)',
    order: 'summary',
    cell: ({ summary, id }) => <span title={id}>{shortSummary(summary, id)}</span>,
  },
  {
    id: 'path',
    title: 'Path',
    width: 'minmax(8rem, 3fr)',
    order: 'path',
    isExtra: true,
    cell: ({ path }) => (
      <span title={path}>
        <Mono>{shortPath(path)}</Mono>
      </span>
    ),
  },
  { id: 'service', title: 'API', width: '6.5rem', order: 'service', cell: ({ service }) => service },
];

const ALL = 'all';

/** Every operation of the jar, to be tried with a token and an example filled in. */
export default function ApiExplorer() {
  const [open] = useSegments('explorer');
  const { text } = useFilter();
  const [order] = useAddressParam(ORDER_PARAM);
  const [service, choose] = useAddressParam('service');
  const apis = useData(['apis'], async (signal) => {
    // An operation is enough to learn which APIs the jar has.
    const { services } = await dataOf(control.GET('/_jar/overview', { signal }));
    return services.map(({ name, title }) => ({ value: name, label: title }));
  });
  const rows = useControlRows('/_jar/docs/operations', {
    query: { $filter: operationFilter(text, service), $orderby: order },
    keyOf,
    on: [],
  });
  const list = (
    <>
      <FilterBar placeholder="Words of a path or summary, or an OData expression" failure={rows.failure}>
        <Select
          label="API"
          hideLabel
          value={service ?? ALL}
          choices={[{ value: ALL, label: 'All APIs' }, ...(apis.data ?? [])]}
          onChange={(chosen) => choose(chosen === ALL ? undefined : chosen)}
        />
      </FilterBar>
      <List
        label="Operations"
        source={rows}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={({ id }) => addressOf('explorer', id)}
        open={open}
        empty={<Empty title="No operation has these words">Try fewer words, or another API.</Empty>}
      />
    </>
  );
  return (
    <Page title="API explorer" about="Every operation of the jar, with a token and an example filled in." isFull>
      <Explorer
        label="Operation"
        closed={addressOf('explorer')}
        list={list}
        detail={open === undefined ? undefined : <OperationDetail key={open} id={open} />}
      />
    </Page>
  );
}
