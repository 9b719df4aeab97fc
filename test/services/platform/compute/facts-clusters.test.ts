import { expect } from 'vitest';
import { good, refusal } from '../support.ts';
import { checkFacts, type Fact, invalid, keys, malformed, OK, refused, spec, terminated } from './facts.ts';
import { createCluster, getCluster, NODE, runningCluster } from './support.ts';

const machine = () => ({
  node_id: expect.any(String),
  instance_id: expect.any(String),
  private_ip: expect.any(String),
  host_private_ip: expect.any(String),
  public_dns: expect.any(String),
  start_timestamp: expect.any(Number),
});

const LIFE: readonly Fact[] = [
  [
    'edit needs spark_version',
    async ({ ask, post }) => post('edit', { cluster_id: await createCluster(ask), node_type_id: NODE, num_workers: 1 }),
    refused('INVALID_PARAMETER_VALUE', 'Missing required field: spark_version'),
  ],
  [
    'edit of a running cluster restarts it',
    async (world) => {
      const cluster_id = await runningCluster(world.bench, world.ask);
      return [await world.post('edit', { cluster_id, ...spec }), await world.state(cluster_id)];
    },
    [OK, 'RESTARTING'],
  ],
  [
    'edit of a terminated cluster leaves it so',
    async (world) => {
      const cluster_id = await terminated(world);
      return [await world.post('edit', { cluster_id, ...spec }), await world.state(cluster_id)];
    },
    [OK, 'TERMINATED'],
  ],
  [
    'edit in any other state is refused',
    async ({ ask, post }) => post('edit', { cluster_id: await createCluster(ask), ...spec }),
    refused('INVALID_STATE', expect.stringContaining('is in unexpected state PENDING.')),
  ],
  [
    'edit replaces all attributes',
    async (world) => {
      const cluster_id = await terminated(world, { spark_conf: { a: 'b' } });
      await world.post('edit', { cluster_id, ...spec });
      return keys(getCluster(world.ask, cluster_id), 'spark_conf', 'cluster_name');
    },
    { spark_conf: undefined, cluster_name: '' },
  ],
  [
    'update needs a mask',
    async ({ ask, post }) => post('update', { cluster_id: await createCluster(ask), cluster: {} }),
    refused('INVALID_PARAMETER_VALUE', 'Missing required field: update_mask'),
  ],
  [
    'update changes what the mask names',
    async (world) => {
      const cluster_id = await terminated(world);
      await world.post('update', {
        cluster_id,
        update_mask: 'num_workers',
        cluster: { num_workers: 7, cluster_name: 'no' },
      });
      return keys(getCluster(world.ask, cluster_id), 'num_workers', 'cluster_name');
    },
    { num_workers: 7, cluster_name: 'plain' },
  ],
  [
    'the mask * replaces everything',
    async (world) => {
      const cluster_id = await terminated(world);
      await world.post('update', { cluster_id, update_mask: '*', cluster: spec });
      return keys(getCluster(world.ask, cluster_id), 'num_workers', 'cluster_name');
    },
    { num_workers: 1, cluster_name: '' },
  ],
  [
    'an overlong mask is refused',
    async ({ ask, post }) =>
      post('update', {
        cluster_id: await createCluster(ask),
        update_mask: `${'spark_conf.a,'.repeat(10_000)}spark_conf.b`,
        cluster: {},
      }),
    invalid('update_mask'),
  ],
  [
    'start is for terminated clusters',
    async (world) => {
      const cluster_id = await terminated(world);
      return [await world.post('start', { cluster_id }), await world.state(cluster_id)];
    },
    [OK, 'PENDING'],
  ],
  [
    'start of a running cluster is refused',
    async ({ bench, ask, post }) => post('start', { cluster_id: await runningCluster(bench, ask) }),
    refused('INVALID_STATE'),
  ],
  [
    'restart of a terminated cluster is refused',
    async (world) => world.post('restart', { cluster_id: await terminated(world) }),
    refused('INVALID_STATE', expect.stringMatching(/^Cluster \S+ is in unexpected state TERMINATED\.$/)),
  ],
  [
    'the user who restarts is a text',
    async (world) =>
      world.post('restart', { cluster_id: await runningCluster(world.bench, world.ask), restart_user: 3 }),
    malformed('restart_user'),
  ],
  [
    'delete passes through TERMINATING to TERMINATED',
    async (world) => {
      const cluster_id = await runningCluster(world.bench, world.ask);
      await world.post('delete', { cluster_id });
      const first = await world.state(cluster_id);
      await world.advance('1m');
      return [first, await world.state(cluster_id)];
    },
    ['TERMINATING', 'TERMINATED'],
  ],
  [
    'delete of a terminated cluster does nothing',
    async (world) => {
      const cluster_id = await terminated(world);
      return [await world.post('delete', { cluster_id }), await world.state(cluster_id)];
    },
    [OK, 'TERMINATED'],
  ],
  [
    'a permanently deleted cluster is in no list, and every later call fails',
    async (world) => {
      const cluster_id = await runningCluster(world.bench, world.ask);
      await world.post('permanent-delete', { cluster_id });
      const { clusters } = await good(world.ask('GET', '/clusters/list'));
      const answers = [];
      for (const verb of ['start', 'delete', 'permanent-delete', 'pin', 'unpin', 'events'])
        answers.push((await world.post(verb, { cluster_id })).message);
      return [clusters, [...new Set(answers)].map((each) => String(each).replace(cluster_id, 'X'))];
    },
    [[], ['Cluster X does not exist']],
  ],
  [
    'a pinned cluster must be unpinned before it is deleted permanently',
    async (world) => {
      const cluster_id = await terminated(world);
      await world.post('pin', { cluster_id });
      return [
        await world.post('permanent-delete', { cluster_id }),
        await world.post('unpin', { cluster_id }),
        await world.post('permanent-delete', { cluster_id }),
      ];
    },
    [refused('INVALID_STATE'), OK, OK],
  ],
  [
    'resize needs a running cluster',
    async ({ ask, post }) => post('resize', { cluster_id: await createCluster(ask), num_workers: 3 }),
    refused('INVALID_STATE'),
  ],
  [
    'resize needs a size',
    async ({ bench, ask, post }) => post('resize', { cluster_id: await runningCluster(bench, ask) }),
    invalid('size'),
  ],
  [
    'a size is one of two',
    async ({ bench, ask, post }) =>
      post('resize', {
        cluster_id: await runningCluster(bench, ask),
        num_workers: 2,
        autoscale: { min_workers: 1, max_workers: 2 },
      }),
    invalid('Only one of'),
  ],
  [
    'get shows the target size at once',
    async (world) => {
      const cluster_id = await runningCluster(world.bench, world.ask);
      await world.post('resize', { cluster_id, num_workers: 9 });
      return keys(getCluster(world.ask, cluster_id), 'state', 'num_workers', 'state_message');
    },
    { state: 'RESIZING', num_workers: 9, state_message: 'Resizing from 2 to 9 workers' },
  ],
  [
    'a cluster that is resized can be terminated',
    async (world) => {
      const cluster_id = await runningCluster(world.bench, world.ask);
      await world.post('resize', { cluster_id, num_workers: 9 });
      await world.post('delete', { cluster_id });
      await world.advance('10m');
      return world.state(cluster_id);
    },
    'TERMINATED',
  ],
  [
    'a cluster that restarts can be terminated',
    async (world) => {
      const cluster_id = await runningCluster(world.bench, world.ask);
      await world.post('restart', { cluster_id });
      await world.post('delete', { cluster_id });
      await world.advance('10m');
      return world.state(cluster_id);
    },
    'TERMINATED',
  ],
  [
    'pin and unpin can be repeated',
    async (world) => {
      const cluster_id = await createCluster(world.ask);
      const answers = [];
      for (const verb of ['pin', 'pin', 'unpin', 'unpin'])
        answers.push((await world.post(verb, { cluster_id })).status);
      return answers;
    },
    [200, 200, 200, 200],
  ],
  [
    'change-owner needs a terminated cluster',
    async (world) =>
      world.post('change-owner', { cluster_id: await runningCluster(world.bench, world.ask), owner_username: 'x' }),
    refused('INVALID_STATE'),
  ],
  [
    'change-owner needs an owner',
    async (world) => world.post('change-owner', { cluster_id: await terminated(world) }),
    refused('INVALID_PARAMETER_VALUE', 'Missing required field: owner_username'),
  ],
  [
    'an owner has to exist',
    async (world) =>
      world.post('change-owner', { cluster_id: await terminated(world), owner_username: 'nobody@example.com' }),
    invalid('nobody@example.com'),
  ],
  [
    'an unknown id is an invalid value',
    ({ ask }) => ask('GET', '/clusters/get?cluster_id=none').then(refusal),
    refused('INVALID_PARAMETER_VALUE', 'Cluster none does not exist'),
  ],
  [
    'get needs an id',
    ({ ask }) => ask('GET', '/clusters/get').then(refusal),
    refused('INVALID_PARAMETER_VALUE', 'Missing required field: cluster_id'),
  ],
  [
    'a terminated cluster says who asked for it',
    async (world) => (await getCluster(world.ask, await terminated(world))).termination_reason,
    { code: 'USER_REQUEST', type: 'SUCCESS', parameters: { username: expect.stringContaining('@') } },
  ],
  [
    'an idle cluster says how long it was idle',
    async (world) => {
      const id = await runningCluster(world.bench, world.ask, { autotermination_minutes: 10 });
      await world.advance('11m');
      return keys(getCluster(world.ask, id), 'state', 'termination_reason');
    },
    {
      state: 'TERMINATED',
      termination_reason: { code: 'INACTIVITY', type: 'SUCCESS', parameters: { inactivity_duration_min: '10' } },
    },
  ],
  [
    'state_message is present in every transition and after the end',
    async (world) => {
      const cluster_id = await createCluster(world.ask);
      const seen = [(await getCluster(world.ask, cluster_id)).state_message];
      await world.advance('4m');
      await world.post('restart', { cluster_id });
      seen.push((await getCluster(world.ask, cluster_id)).state_message);
      await world.advance('2m');
      await world.post('delete', { cluster_id });
      seen.push((await getCluster(world.ask, cluster_id)).state_message);
      await world.advance('1m');
      seen.push((await getCluster(world.ask, cluster_id)).state_message);
      return seen.every((each) => typeof each === 'string' && each !== '');
    },
    true,
  ],
  [
    'a running cluster has machines, a port and a context',
    async ({ bench, ask }) =>
      keys(
        getCluster(ask, await runningCluster(bench, ask)),
        'driver',
        'executors',
        'spark_context_id',
        'jdbc_port',
        'cluster_cores',
        'cluster_memory_mb',
      ),
    {
      driver: machine(),
      executors: [machine(), machine()],
      spark_context_id: expect.any(Number),
      jdbc_port: 10_000,
      cluster_cores: 12,
      cluster_memory_mb: 43_008,
    },
  ],
  [
    'two clusters have two contexts',
    async ({ bench, ask }) => {
      const ids = [await createCluster(ask), await createCluster(ask)];
      await bench.jar.clock.advance('4m');
      const [one, two] = await Promise.all(ids.map((id) => getCluster(ask, id)));
      return one.spark_context_id === two.spark_context_id;
    },
    false,
  ],
  [
    'a terminated cluster has no machines, and the time of its end',
    async (world) =>
      keys(
        getCluster(world.ask, await terminated(world)),
        'driver',
        'executors',
        'spark_context_id',
        'terminated_time',
      ),
    { driver: undefined, executors: undefined, spark_context_id: undefined, terminated_time: expect.any(Number) },
  ],
  [
    'a terminated cluster is gone after 60 days, however far the clock jumps',
    async (world) => {
      const id = await terminated(world);
      await world.advance('400d');
      return (await world.ask('GET', `/clusters/get?cluster_id=${id}`)).status;
    },
    400,
  ],
];

checkFacts('data platform: facts of the life of clusters', LIFE);
