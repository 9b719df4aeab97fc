import { addressOf, useSegments } from '../../../shared/address.ts';
import { useData } from '../../../shared/api/use-data.ts';
import { count } from '../../../shared/format/numbers.ts';
import { Explorer } from '../../../shared/list/explorer.tsx';
import { FilterBar, useFilter } from '../../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../../shared/list/list.tsx';
import { rowsOf } from '../../../shared/list/rows-of.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Meter } from '../../../shared/ui/meter.tsx';
import { Empty } from '../../../shared/ui/notice.tsx';
import { allPages, type Platform, usePlatform } from '../api.ts';
import { fullestOf, type Limit, type LimitPage, pressureOf } from './api.ts';
import { Increases } from './increases.tsx';
import { LimitDetail } from './limit-detail.tsx';
import styles from './limits.module.css';

const QUICK = [
  { id: 'used', title: 'In use' },
  { id: 'resources', title: 'Quotas' },
  { id: 'rates', title: 'Rates' },
  { id: 'changed', title: 'Changed' },
] as const;

/** Any write may take from a limit. */
const ON = ['/api', '/_jar/limits', '/_jar/platform', 'clock'] as const;

const keyOf = ({ name }: Limit): string => name;

const COLUMNS: readonly Column<Limit>[] = [
  { id: 'resource', title: 'Resource', width: 'minmax(7rem, 1fr)', cell: ({ resource }) => resource },
  { id: 'metric', title: 'Limit', width: 'minmax(8rem, 2fr)', cell: ({ metric }) => metric },
  { id: 'use', title: 'Fullest', width: 'minmax(8rem, 1fr)', cell: (limit) => <Fullest limit={limit} /> },
  { id: 'scope', title: 'Per', width: '8rem', isExtra: true, cell: ({ scope }) => scope.toLowerCase() },
  {
    id: 'mode',
    title: 'Mode',
    width: '7rem',
    isExtra: true,
    cell: ({ mode, limit, in_force }) => (
      <>
        {mode !== 'ENFORCED' && <Badge tone="warning">{mode.toLowerCase()}</Badge>}
        {limit !== in_force && <Badge tone="accent">changed</Badge>}
      </>
    ),
  },
];

function Fullest({ limit }: { readonly limit: Limit }) {
  const fullest = fullestOf(limit);
  const most = fullest?.limit ?? limit.in_force;
  if (most === undefined) return <>unlimited</>;
  const used = fullest?.used ?? 0;
  return (
    <div className={styles.fullest}>
      <Meter label={limit.metric} hideLabel value={used} most={most} text={`${count(used)} of ${count(most)}`} />
    </div>
  );
}

const shows = (limit: Limit, quick: string | undefined): boolean => {
  switch (quick) {
    case 'used':
      return pressureOf(limit) > 0;
    case 'resources':
      return limit.table !== 'RATES';
    case 'rates':
      return limit.table === 'RATES';
    case 'changed':
      return limit.limit !== limit.in_force || limit.mode !== 'ENFORCED';
    default:
      return true;
  }
};

/** The published limits of the platform, the fullest first, and requests to raise them. */
export default function Limits() {
  const [, open] = useSegments('platform');
  const platform = usePlatform();
  const { text = '', quick } = useFilter();
  const limits = useData([platform.key, 'limits'], (signal) => readLimits(platform, signal), { on: ON });
  const words = text.toLowerCase();
  const shown = limits.data?.filter(
    (limit) => shows(limit, quick) && `${limit.name} ${limit.resource} ${limit.metric}`.toLowerCase().includes(words),
  );
  const opened = limits.data?.find(({ name }) => name === open);
  const list = (
    <>
      <FilterBar placeholder="Name, resource or path" quick={QUICK} />
      <div className={styles.increases}>
        <Increases />
      </div>
      <List
        label="Limits"
        source={rowsOf({ ...limits, data: shown })}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={(limit) => addressOf('platform', 'limits', keyOf(limit))}
        open={open}
        empty={<Empty title="No limit matches the filter" />}
      />
    </>
  );
  return (
    <Explorer
      label="Limit"
      closed={addressOf('platform', 'limits')}
      list={list}
      detail={opened && <LimitDetail key={opened.name} limit={opened} />}
    />
  );
}

async function readLimits(platform: Platform, signal: AbortSignal): Promise<readonly Limit[]> {
  const { rows } = await allPages<LimitPage, Limit>(
    (page_token) => platform.get('/api/2.0/platform/limits', { page_size: 100, page_token }, signal),
    ({ limits }) => limits,
  );
  return rows.toSorted((one, other) => pressureOf(other) - pressureOf(one));
}
