import { expect } from 'vitest';
import { good, refusal } from '../support.ts';
import { checkFacts, type Fact, invalid, keys, malformed, OK, refused, type World } from './facts.ts';
import { createCluster, NODE, SPARK } from './support.ts';

const tags = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, 'x']));
const gone = { status: 404, code: 'RESOURCE_DOES_NOT_EXIST', message: expect.any(String) };

const pool = { instance_pool_name: 'p', node_type_id: NODE };
const makePool = async ({ ask }: World, more: object = {}) =>
  refusal(await ask('POST', '/instance-pools/create', { ...pool, ...more }));
const newPool = async ({ ask }: World, more: object = {}): Promise<string> =>
  (await good(ask('POST', '/instance-pools/create', { ...pool, ...more }))).instance_pool_id;
const getPool = ({ ask }: World, id: string) => good(ask('GET', `/instance-pools/get?instance_pool_id=${id}`));

const POOLS: readonly Fact[] = [
  [
    'a pool needs a name',
    (world) => makePool(world, { instance_pool_name: undefined }),
    refused('INVALID_PARAMETER_VALUE', 'Missing required field: instance_pool_name'),
  ],
  [
    'a name has at least one character',
    (world) => makePool(world, { instance_pool_name: '' }),
    invalid('instance_pool_name'),
  ],
  [
    'and 100 at most',
    async (world) => [
      await makePool(world, { instance_pool_name: 'n'.repeat(100) }),
      await makePool(world, { instance_pool_name: 'n'.repeat(101) }),
    ],
    [OK, invalid('100 characters')],
  ],
  [
    'a name is taken once',
    async (world) => {
      await newPool(world);
      return makePool(world);
    },
    refused('RESOURCE_ALREADY_EXISTS'),
  ],
  [
    'a pool needs a node type',
    (world) => makePool(world, { node_type_id: undefined }),
    refused('INVALID_PARAMETER_VALUE', 'Missing required field: node_type_id'),
  ],
  [
    'idle machines wait from 0 to 10000 minutes',
    async (world) => [
      await makePool(world, { idle_instance_autotermination_minutes: -1 }),
      await makePool(world, { idle_instance_autotermination_minutes: 10_001 }),
      await makePool(world, { idle_instance_autotermination_minutes: 10_000 }),
    ],
    [invalid('idle'), invalid('idle'), OK],
  ],
  [
    'they wait 60 minutes unless said',
    async (world) => (await getPool(world, await newPool(world))).idle_instance_autotermination_minutes,
    60,
  ],
  [
    'at most one version is preloaded',
    (world) => makePool(world, { preloaded_spark_versions: [SPARK, SPARK] }),
    invalid('preloaded_spark_versions'),
  ],
  ['45 tags are allowed', (world) => makePool(world, { custom_tags: tags(45) }), OK],
  ['46 are not', (world) => makePool(world, { custom_tags: tags(46) }), invalid('45')],
  ['tags are texts', (world) => makePool(world, { custom_tags: { a: 1 } }), malformed('custom_tags.a')],
  [
    'the login of an image is not shown',
    async (world) =>
      (
        await getPool(
          world,
          await newPool(world, { preloaded_docker_images: [{ url: 'a', basic_auth: { password: 'x' } }] }),
        )
      ).preloaded_docker_images,
    [{ url: 'a' }],
  ],
  [
    'a pool is ACTIVE, with counts and errors',
    async (world) => keys(getPool(world, await newPool(world)), 'state', 'stats', 'status'),
    {
      state: 'ACTIVE',
      stats: { used_count: 0, idle_count: 0, pending_used_count: 0, pending_idle_count: 0 },
      status: { pending_instance_errors: [] },
    },
  ],
  [
    'an edit keeps the node type',
    async (world) =>
      refusal(
        await world.ask('POST', '/instance-pools/edit', {
          instance_pool_id: await newPool(world),
          instance_pool_name: 'q',
          node_type_id: 'Standard_F4s',
        }),
      ),
    invalid('node_type_id'),
  ],
  [
    'and the disks',
    async (world) =>
      refusal(
        await world.ask('POST', '/instance-pools/edit', {
          ...pool,
          instance_pool_id: await newPool(world),
          disk_spec: { disk_count: 2 },
        }),
      ),
    invalid('disk_spec'),
  ],
  [
    'an unknown pool is not found',
    ({ ask }) => ask('GET', '/instance-pools/get?instance_pool_id=x').then(refusal),
    gone,
  ],
  [
    'machines of a permanently deleted cluster become idle in the pool',
    async (world) => {
      const id = await newPool(world);
      const cluster_id = await createCluster(world.ask, {
        instance_pool_id: id,
        node_type_id: undefined,
        num_workers: 1,
      });
      await world.advance('1m');
      await world.post('permanent-delete', { cluster_id });
      return (await getPool(world, id)).stats;
    },
    expect.objectContaining({ used_count: 0, idle_count: 2 }),
  ],
];

checkFacts('data platform: facts of instance pools', POOLS);
