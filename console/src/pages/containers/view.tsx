import { addressOf, useSegments } from '../../shared/address.ts';
import { count } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { Explorer } from '../../shared/list/explorer.tsx';
import { FilterBar } from '../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../shared/list/list.tsx';
import { useListQuery } from '../../shared/list/list-query.ts';
import { useControlRows } from '../../shared/list/use-rows.ts';
import { Mono, Page } from '../../shared/ui/layout.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { type Group, groupAddress, groupKey, SIGNALS } from './api.ts';
import { GroupDetail } from './group-detail.tsx';
import { GroupState } from './group-state.tsx';

/** Prepared filters by their id in the address. */
const QUICK = [
  { id: 'running', title: 'Running', filter: "state eq 'Running'" },
  { id: 'trouble', title: 'Trouble', filter: 'trouble ne null' },
  { id: 'ended', title: 'Ended', filter: "state in ('Succeeded','Failed','Stopped')" },
] as const;

const SEARCHED = ['name', 'resourceGroup', 'ip', 'fqdn'];

const COLUMNS: readonly Column<Group>[] = [
  { id: 'name', title: 'Group', width: 'minmax(8rem, 2fr)', order: 'name', cell: ({ name }) => name },
  {
    id: 'state',
    title: 'State',
    width: '9.5rem',
    order: 'state',
    cell: (group) => <GroupState group={group} />,
  },
  {
    id: 'running',
    title: 'Running',
    width: '5rem',
    order: 'running',
    isNumber: true,
    isExtra: true,
    cell: ({ running, containers }) => `${running} of ${containers}`,
  },
  {
    id: 'restarts',
    title: 'Restarts',
    width: '5.5rem',
    order: 'restarts',
    isNumber: true,
    cell: ({ restarts }) => count(restarts),
  },
  { id: 'ip', title: 'Address', width: '8.5rem', isExtra: true, cell: ({ ip }) => ip && <Mono>{ip}</Mono> },
  {
    id: 'image',
    title: 'Image',
    width: 'minmax(6rem, 1.5fr)',
    isExtra: true,
    cell: ({ images }) => images.join(', '),
  },
  {
    id: 'resourceGroup',
    title: 'Resource group',
    width: 'minmax(6rem, 1fr)',
    order: 'resourceGroup',
    isExtra: true,
    cell: ({ resourceGroup }) => resourceGroup,
  },
  {
    id: 'created',
    title: 'Created',
    width: '6rem',
    order: 'createdAt',
    isExtra: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

/** The container groups of all subscriptions. */
export default function Containers() {
  const [subscriptionId, resourceGroup, name] = useSegments('containers');
  const { $filter, $orderby } = useListQuery(SEARCHED, QUICK);
  const rows = useControlRows('/_jar/containers/groups', {
    query: { $filter, $orderby },
    keyOf: groupKey,
    on: SIGNALS,
  });
  const open =
    subscriptionId !== undefined && resourceGroup !== undefined && name !== undefined
      ? { subscriptionId, resourceGroup, name }
      : undefined;
  const list = (
    <>
      <FilterBar placeholder="Name, address or OData expression" quick={QUICK} failure={rows.failure} />
      <List
        label="Container groups"
        source={rows}
        keyOf={groupKey}
        columns={COLUMNS}
        addressOf={groupAddress}
        open={open && groupKey(open)}
        empty={
          <Empty
            title={$filter === undefined ? 'There is no container group yet' : 'No container group matches the filter'}
            {...($filter === undefined && { command: exampleFor(location.origin) })}
          >
            A group runs containers that share a network and volumes: in Docker or Podman, in Kubernetes, or simulated.
          </Empty>
        }
      />
    </>
  );
  return (
    <Page title="Container groups" about="Do the containers run, and if not, what do they say." isFull>
      <Explorer
        label="Container group"
        closed={addressOf('containers')}
        list={list}
        detail={open && <GroupDetail key={groupKey(open)} names={open} />}
      />
    </Page>
  );
}

const exampleFor = (origin: string): string =>
  [
    'TOKEN=$(npx cloudjar token)',
    `GROUP=${origin}/subscriptions/10000000-0000-4000-8000-0000000000f1/resourceGroups/demo`,
    'put() { curl -sk -X PUT "$1" -H "Authorization: Bearer $TOKEN" -H \'content-type: application/json\' -d "$2"; }',
    `put "$GROUP?api-version=2021-04-01" '{"location":"westeurope"}'`,
    'put "$GROUP/providers/Vendor.ContainerInstance/containerGroups/hello?api-version=2025-09-01" \'{"location":"westeurope","properties":{',
    '  "osType":"Linux","containers":[{"name":"hello","properties":{"image":"busybox","command":["sh","-c","echo hello; sleep 86400"],',
    '  "resources":{"requests":{"cpu":1,"memoryInGB":1}}}}]}}\'',
  ].join('\n');
