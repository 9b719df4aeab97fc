import { addressOf, useSegments } from '../../../shared/address.ts';
import { useData } from '../../../shared/api/use-data.ts';
import { CURL } from '../../../shared/format/shell.ts';
import { Time } from '../../../shared/format/time.tsx';
import { Explorer } from '../../../shared/list/explorer.tsx';
import { FilterBar, useFilter } from '../../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../../shared/list/list.tsx';
import { rowsOf } from '../../../shared/list/rows-of.ts';
import { StateBadge } from '../../../shared/ui/badge.tsx';
import { Empty } from '../../../shared/ui/notice.tsx';
import { usePlatform } from '../api.ts';
import { COMPUTE_CHANGE, isUp, type Machine, readMachines } from './api.ts';
import { MachineDetail } from './machine-detail.tsx';

const QUICK = [
  { id: 'up', title: 'Up' },
  { id: 'clusters', title: 'Clusters' },
  { id: 'warehouses', title: 'Warehouses' },
] as const;

const keyOf = ({ id }: Machine): string => id;

const COLUMNS: readonly Column<Machine>[] = [
  { id: 'name', title: 'Name', width: 'minmax(8rem, 2fr)', cell: ({ name }) => name },
  { id: 'kind', title: 'Kind', width: '7rem', cell: ({ kind, source }) => (source === 'job' ? 'job cluster' : kind) },
  { id: 'state', title: 'State', width: '7rem', cell: ({ state }) => <StateBadge state={state.toLowerCase()} /> },
  { id: 'size', title: 'Size', width: 'minmax(6rem, 1fr)', isExtra: true, cell: ({ size }) => size },
  { id: 'owner', title: 'Owner', width: 'minmax(6rem, 1fr)', isExtra: true, cell: ({ owner }) => owner },
  { id: 'since', title: 'Started', width: '7rem', isExtra: true, cell: ({ since }) => <Time at={since} /> },
];

const shows = (machine: Machine, quick: string | undefined): boolean =>
  quick === undefined || (quick === 'up' ? isUp(machine) : quick.startsWith(machine.kind));

/** Clusters and SQL warehouses: what is up, since when, and for whom. */
export default function Compute() {
  const [, open] = useSegments('platform');
  const platform = usePlatform();
  const { text = '', quick } = useFilter();
  const machines = useData([platform.key, 'compute'], (signal) => readMachines(platform, signal), {
    on: COMPUTE_CHANGE,
  });
  const wanted = text.toLowerCase();
  const shown = machines.data?.filter(
    (each) => shows(each, quick) && `${each.name} ${each.id} ${each.owner}`.toLowerCase().includes(wanted),
  );
  const opened = machines.data?.find(({ id }) => id === open);
  const list = (
    <>
      <FilterBar placeholder="Name, id or owner" quick={QUICK} />
      <List
        label="Clusters and warehouses"
        source={rowsOf({ ...machines, data: shown })}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={(machine) => addressOf('platform', 'compute', keyOf(machine))}
        open={open}
        empty={
          machines.data?.length === 0 ? (
            <Empty title="There is no cluster and no warehouse yet" command={EXAMPLE}>
              Tasks run on clusters, SQL runs on warehouses. Both take a moment of the jar's clock to start.
            </Empty>
          ) : (
            <Empty title="Nothing matches the filter" />
          )
        }
      />
    </>
  );
  return (
    <Explorer
      label="Cluster or warehouse"
      closed={addressOf('platform', 'compute')}
      list={list}
      detail={opened && <MachineDetail key={opened.id} machine={opened} />}
    />
  );
}

const EXAMPLE = `${CURL} ${location.origin}/api/2.0/sql/warehouses -H "Authorization: Bearer $(npx cloudjar token)" \\
  -d '{"name":"analysts","cluster_size":"2X-Small"}'`;
