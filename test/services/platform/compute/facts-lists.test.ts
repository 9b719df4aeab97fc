import { good, refusal } from '../support.ts';
import { checkFacts, type Fact, invalid, type World } from './facts.ts';
import { createCluster, runningCluster } from './support.ts';

const named = async ({ ask }: World, query = '') => {
  const page = await good(ask('GET', `/api/2.1/clusters/list?${query}`));
  return { ...page, names: page.clusters.map((each: { cluster_name: string }) => each.cluster_name).join('') };
};
const five = async (world: World): Promise<void> => {
  for (const cluster_name of ['c', 'a', 'e', 'b', 'd']) await createCluster(world.ask, { cluster_name });
};

const LISTS: readonly Fact[] = [
  [
    'pages lead forwards and backwards',
    async (world) => {
      await five(world);
      const sort = 'sort_by.field=CLUSTER_NAME&page_size=2';
      const first = await named(world, sort);
      const second = await named(world, `${sort}&page_token=${first.next_page_token}`);
      const third = await named(world, `${sort}&page_token=${second.next_page_token}`);
      const back = await named(world, `${sort}&page_token=${third.prev_page_token}`);
      const start = await named(world, `${sort}&page_token=${back.prev_page_token}`);
      return [first, second, third, back, start].map(({ names, next_page_token: next, prev_page_token: previous }) => [
        names,
        next !== undefined,
        previous !== undefined,
      ]);
    },
    [
      ['ab', true, false],
      ['cd', true, true],
      ['e', false, true],
      ['cd', true, true],
      ['ab', true, false],
    ],
  ],
  [
    'clusters are sorted in descending order',
    async (world) => {
      await five(world);
      const sort = 'sort_by.field=CLUSTER_NAME&sort_by.direction=DESC&page_size=3';
      const first = await named(world, sort);
      const second = await named(world, `${sort}&page_token=${first.next_page_token}`);
      return [first.names, second.names, (await named(world, `${sort}&page_token=${second.prev_page_token}`)).names];
    },
    ['edc', 'ba', 'edc'],
  ],
  [
    'clusters are sorted by state, pin and name',
    async (world) => {
      await five(world);
      const first = await named(world, 'page_size=4');
      const second = await named(world, `page_size=4&page_token=${first.next_page_token}`);
      return [
        first.names,
        second.names,
        (await named(world, `page_size=4&page_token=${second.prev_page_token}`)).names,
      ];
    },
    ['abcd', 'e', 'abcd'],
  ],
  [
    'a token of another list is refused',
    async (world) => {
      await five(world);
      const { next_page_token: token } = await named(world, 'page_size=2');
      return refusal(await world.ask('GET', `/clusters/list?filter_by.is_pinned=false&page_token=${token}`));
    },
    invalid('page_token'),
  ],
  [
    'two tokens are refused',
    ({ ask }) => ask('GET', '/clusters/list?page_token=a&page_token=b').then(refusal),
    invalid('page_token'),
  ],
  [
    'a page has at most 100',
    async (world) => {
      await Promise.all(Array.from({ length: 101 }, () => createCluster(world.ask)));
      return [
        (await named(world, 'page_size=1000')).names.length / 'plain'.length,
        (await named(world)).names.length / 'plain'.length,
      ];
    },
    [100, 20],
  ],
  [
    'a policy is a filter',
    async (world) => {
      const { policy_id } = await good(world.ask('POST', '/policies/clusters/create', { name: 'p', definition: '{}' }));
      await five(world);
      await createCluster(world.ask, { cluster_name: 'z', policy_id });
      return (await named(world, `filter_by.policy_id=${policy_id}`)).names;
    },
    'z',
  ],
  [
    'sources are a filter',
    async (world) => {
      await five(world);
      return [
        (await named(world, 'filter_by.cluster_sources=API')).names,
        (await named(world, 'filter_by.cluster_sources=UI&filter_by.cluster_sources=JOB')).names,
      ];
    },
    ['abcde', ''],
  ],
  [
    'an unknown source is refused',
    ({ ask }) => ask('GET', '/clusters/list?filter_by.cluster_sources=MOON').then(refusal),
    invalid('cluster_sources'),
  ],
  [
    'an unknown sort is refused',
    ({ ask }) => ask('GET', '/clusters/list?sort_by.field=AGE').then(refusal),
    invalid('sort_by.field'),
  ],
  [
    'lists omit the machines',
    async (world) => {
      await runningCluster(world.bench, world.ask);
      return (await named(world)).clusters[0].executors;
    },
    undefined,
  ],
  [
    'versions have a key and a name that clients can sort',
    async ({ ask }) =>
      (await good(ask('GET', '/api/2.1/clusters/spark-versions'))).versions.every(
        ({ key, name }: { key: string; name: string }) =>
          /^\d+\.\d+\.x-.*scala2\.1[23]$/.test(key) && /Apache Spark \d/.test(name),
      ),
    true,
  ],
  [
    'node types have what clients select by',
    async ({ ask }) => {
      const { node_types } = await good(ask('GET', '/clusters/list-node-types'));
      return node_types.every(
        (type: Record<string, unknown>) =>
          ['node_type_id', 'description', 'instance_type_id', 'category'].every(
            (name) => typeof type[name] === 'string',
          ) &&
          ['memory_mb', 'num_cores', 'num_gpus'].every((name) => typeof type[name] === 'number') &&
          typeof type.node_instance_type === 'object',
      );
    },
    true,
  ],
  [
    'zones have a default',
    async ({ ask }) => {
      const { default_zone, zones } = await good(ask('GET', '/clusters/list-zones'));
      return zones.includes(default_zone);
    },
    true,
  ],
];

checkFacts('data platform: facts of lists of clusters', LISTS);
