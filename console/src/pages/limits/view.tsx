import { addressOf, useAddressParam, useSegments } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { useServices } from '../../shared/api/use-services.ts';
import { shortId } from '../../shared/format/ids.ts';
import { count } from '../../shared/format/numbers.ts';
import { Explorer } from '../../shared/list/explorer.tsx';
import { FilterBar } from '../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../shared/list/list.tsx';
import { useListQuery } from '../../shared/list/list-query.ts';
import { rowsOf } from '../../shared/list/rows-of.ts';
import { Select } from '../../shared/ui/field.tsx';
import { Page } from '../../shared/ui/layout.tsx';
import { Meter } from '../../shared/ui/meter.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { LimitDetail } from './detail.tsx';
import { type Limit, usedWords, wordsOf } from './limit.ts';
import { ModeBadge } from './mode-badge.tsx';
import { useSteady } from './use-steady.ts';

/** Prepared filters by their id in the address. */
const QUICK = [
  { id: 'used', title: 'In use', filter: 'pressure gt 0' },
  { id: 'pressure', title: 'Under pressure', filter: 'pressure ge 0.8' },
  { id: 'refusing', title: 'Refusing', filter: 'refusals gt 0 or shadowRefusals gt 0' },
  { id: 'early', title: 'Early retries', filter: 'earlyClients gt 0' },
  { id: 'changed', title: 'Changed', filter: 'changed' },
] as const;

const SEARCHED = ['name', 'title'];
const BY_PRESSURE = 'pressure desc';
/** The services declare a few hundred limits. */
const ALL = 1000;
const ANY = '';

const keyOf = ({ name }: Limit): string => name;

const COLUMNS: readonly Column<Limit>[] = [
  { id: 'title', title: 'Limit', width: 'minmax(7rem, 2fr)', order: 'title', cell: ({ title }) => title },
  { id: 'use', title: 'Use', width: 'minmax(8rem, 1.5fr)', order: 'pressure', cell: (limit) => <Use limit={limit} /> },
  {
    id: 'who',
    title: 'Fullest for',
    width: 'minmax(6rem, 1fr)',
    isExtra: true,
    cell: ({ use: [first] }) =>
      first &&
      Object.values(first.scope)
        .map((value) => shortId(value))
        .join(', '),
  },
  {
    id: 'value',
    title: 'Permits',
    width: 'minmax(8rem, 1.5fr)',
    isExtra: true,
    cell: (limit) => (limit.inForce.mode === 'unlimited' ? 'any number' : wordsOf(limit, limit.inForce)),
  },
  {
    id: 'mode',
    title: 'Mode',
    width: '5.5rem',
    order: 'inForce/mode',
    isExtra: true,
    cell: ({ inForce: { mode } }) => <ModeBadge mode={mode} />,
  },
  {
    id: 'refusals',
    title: 'Refused',
    width: '4.5rem',
    order: 'refusals',
    isNumber: true,
    isExtra: true,
    cell: ({ refusals, shadowRefusals }) => count(refusals + shadowRefusals),
  },
  {
    id: 'early',
    title: 'Early',
    width: '3.5rem',
    order: 'earlyClients',
    isNumber: true,
    isExtra: true,
    cell: ({ earlyClients }) => count(earlyClients),
  },
];

function Use({ limit: { title, kind, use } }: { readonly limit: Limit }) {
  const [first] = use;
  if (kind === 'bound') return 'checked one by one';
  if (first === undefined) return '';
  return <Meter label={title} hideLabel value={first.used} most={first.maximum} text={usedWords(first)} />;
}

/** Every limit of the jar: those under pressure first, who presses, and what they refused. */
export default function Limits() {
  const [open] = useSegments('limits');
  const [service, chooseService] = useAddressParam('service');
  const services = useServices();
  const { $filter, $orderby = BY_PRESSURE } = useListQuery(SEARCHED, QUICK);
  const query = {
    use: 1,
    $top: ALL,
    $orderby,
    ...($filter !== undefined && { $filter }),
    ...(service !== undefined && { service }),
  };
  const limits = useData(
    ['limits', query],
    (signal) => dataOf(control.GET('/_jar/limits', { params: { query }, signal })),
    { on: ['/_jar/limits', 'requests', 'changes', 'clock'], keepPrevious: true },
  );
  const shown = useSteady(limits.data?.value, keyOf, open !== undefined);
  const list = (
    <>
      <FilterBar placeholder="Name or OData expression" quick={QUICK} failure={limits.failure}>
        <Select
          label="Service"
          hideLabel
          value={service ?? ANY}
          onChange={(chosen) => chooseService(chosen === ANY ? undefined : chosen)}
          choices={[{ value: ANY, label: 'All services' }, ...services, { value: 'control', label: 'Control API' }]}
        />
      </FilterBar>
      <List
        label="Limits"
        source={rowsOf({ ...limits, data: shown })}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={({ name }) => addressOf('limits', name)}
        open={open}
        empty={
          <Empty title="No limit matches the filter" command={EXAMPLE}>
            A limit is in use from its first request on. Lower one to see how a client behaves at it.
          </Empty>
        }
      />
    </>
  );
  return (
    <Page title="Limits" about="Rate limits and quotas: how full they are, who presses, what was refused." isFull>
      <Explorer
        label="Limit"
        closed={addressOf('limits')}
        list={list}
        detail={open === undefined ? undefined : <LimitDetail key={open} name={open} after={limits.readAgain} />}
      />
    </Page>
  );
}

const EXAMPLE = 'npx cloudjar limits set management.reads --size 1 --refill 0.1 --mode enforced';
