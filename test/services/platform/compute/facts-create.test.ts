import { expect } from 'vitest';
import { good } from '../support.ts';
import { checkFacts, type Fact, invalid, keys, malformed, OK, spec } from './facts.ts';
import { createCluster, getCluster, NODE, PLAIN, runningCluster } from './support.ts';

const tags = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, 'x']));

const CREATION: readonly Fact[] = [
  [
    'create answers only the id, in the form MMDD-HHMMSS-8 letters and digits',
    ({ ask }) => good(ask('POST', '/api/2.1/clusters/create', spec)),
    { cluster_id: expect.stringMatching(/^\d{4}-\d{6}-[a-z0-9]{8}$/) },
  ],
  ['a new cluster is PENDING', async ({ ask }) => (await getCluster(ask, await createCluster(ask))).state, 'PENDING'],
  [
    'spark_version is required',
    ({ post }) => post('create', { ...spec, spark_version: null }),
    invalid('Missing required field: spark_version'),
  ],
  [
    'an unknown spark_version is refused',
    ({ post }) => post('create', { ...spec, spark_version: '99.x' }),
    invalid('99.x'),
  ],
  [
    'num_workers and autoscale exclude each other',
    ({ post }) => post('create', { ...spec, autoscale: { min_workers: 1, max_workers: 2 } }),
    invalid('Only one of'),
  ],
  ['negative workers are refused', ({ post }) => post('create', { ...spec, num_workers: -3 }), invalid('negative')],
  [
    'min_workers above max_workers is refused',
    ({ post }) => post('create', { ...spec, num_workers: undefined, autoscale: { min_workers: 5, max_workers: 2 } }),
    invalid('min_workers'),
  ],
  [
    'an unknown node type is refused',
    ({ post }) => post('create', { ...spec, node_type_id: 'x' }),
    invalid('Node type x'),
  ],
  [
    'an unknown pool is refused',
    ({ post }) => post('create', { ...spec, node_type_id: undefined, instance_pool_id: 'x' }),
    invalid('instance pool'),
  ],
  [
    'an unknown policy is not found',
    ({ post }) => post('create', { ...spec, policy_id: 'x' }),
    { status: 404, code: 'RESOURCE_DOES_NOT_EXIST', message: expect.any(String) },
  ],
  ['45 tags are allowed', ({ post }) => post('create', { ...spec, custom_tags: tags(45) }), OK],
  ['46 tags are not', ({ post }) => post('create', { ...spec, custom_tags: tags(46) }), invalid('45')],
  ['10 keys are allowed', ({ post }) => post('create', { ...spec, ssh_public_keys: Array(10).fill('k') }), OK],
  [
    '11 keys are not',
    ({ post }) => post('create', { ...spec, ssh_public_keys: Array(11).fill('k') }),
    invalid('ssh_public_keys'),
  ],
  ...[0, 10, 10_000].map(
    (minutes): Fact => [
      `${minutes} minutes until the termination of an idle cluster are allowed`,
      ({ post }) => post('create', { ...spec, autotermination_minutes: minutes }),
      OK,
    ],
  ),
  ...[-1, 1, 9, 10_001].map(
    (minutes): Fact => [
      `${minutes} minutes until the termination of an idle cluster are not`,
      ({ post }) => post('create', { ...spec, autotermination_minutes: minutes }),
      invalid('autotermination_minutes'),
    ],
  ),
  ...[
    'NONE',
    'SINGLE_USER',
    'USER_ISOLATION',
    'LEGACY_TABLE_ACL',
    'LEGACY_PASSTHROUGH',
    'LEGACY_SINGLE_USER',
    'LEGACY_SINGLE_USER_STANDARD',
    'DATA_SECURITY_MODE_AUTO',
    'DATA_SECURITY_MODE_STANDARD',
    'DATA_SECURITY_MODE_DEDICATED',
  ].map(
    (mode): Fact => [
      `the security mode ${mode} is known`,
      async ({ ask }) =>
        (await getCluster(ask, await createCluster(ask, { data_security_mode: mode }))).data_security_mode,
      mode,
    ],
  ),
  [
    'SINGLE_USER without a name gets the caller',
    async ({ ask }) => {
      const { single_user_name, creator_user_name } = await getCluster(
        ask,
        await createCluster(ask, { data_security_mode: 'SINGLE_USER' }),
      );
      return single_user_name === creator_user_name;
    },
    true,
  ],
  ...['STANDARD', 'PHOTON'].map(
    (engine): Fact => [
      `the engine ${engine} is known`,
      ({ post }) => post('create', { ...spec, runtime_engine: engine }),
      OK,
    ],
  ),
  [
    'another engine is not',
    ({ post }) => post('create', { ...spec, runtime_engine: 'STEAM' }),
    invalid('runtime_engine'),
  ],
  [
    'driver_node_type_id is the node type unless said',
    async ({ ask }) => (await getCluster(ask, await createCluster(ask))).driver_node_type_id,
    NODE,
  ],
  [
    'enable_elastic_disk is always there',
    async ({ ask }) => (await getCluster(ask, await createCluster(ask))).enable_elastic_disk,
    false,
  ],
  [
    'autotermination_minutes is 0 unless said',
    async ({ ask }) => (await getCluster(ask, await createCluster(ask))).autotermination_minutes,
    0,
  ],
  [
    'the default tags are four',
    async ({ ask }) => Object.keys((await getCluster(ask, await createCluster(ask))).default_tags).sort(),
    ['ClusterId', 'ClusterName', 'Creator', 'Vendor'],
  ],
  [
    'the source of a cluster of the API is API',
    async ({ ask }) => (await getCluster(ask, await createCluster(ask))).cluster_source,
    'API',
  ],
  [
    'spec is the request',
    async ({ ask }) => (await getCluster(ask, await createCluster(ask, { apply_policy_default_values: true }))).spec,
    { ...PLAIN, apply_policy_default_values: true },
  ],
  [
    'apply_policy_default_values is below spec only',
    async ({ ask }) =>
      'apply_policy_default_values' in
      (await getCluster(ask, await createCluster(ask, { apply_policy_default_values: true }))),
    false,
  ],
  [
    'the login of a docker image is not shown',
    async ({ ask }) =>
      JSON.stringify(
        await getCluster(
          ask,
          await createCluster(ask, { docker_image: { url: 'a/b', basic_auth: { username: 'u', password: 'hidden' } } }),
        ),
      ).includes('hidden'),
    false,
  ],
  [
    'a cluster with a log destination says how the delivery goes',
    async ({ ask, bench }) =>
      keys(
        getCluster(
          ask,
          await runningCluster(bench, ask, { cluster_log_conf: { dbfs: { destination: 'dbfs:/logs' } } }),
        ),
        'cluster_log_conf',
        'cluster_log_status',
      ),
    {
      cluster_log_conf: { dbfs: { destination: 'dbfs:/logs' } },
      cluster_log_status: { last_attempted: expect.any(Number) },
    },
  ],
  ['fields that nobody knows are ignored', ({ post }) => post('create', { ...spec, colour: 'red' }), OK],
  ...(
    [
      ['cluster_name', 1],
      ['num_workers', 'x'],
      ['num_workers', 1.5],
      ['autoscale', []],
      ['spark_conf', 'x'],
      ['spark_env_vars', []],
      ['custom_tags', 3],
      ['ssh_public_keys', {}],
      ['ssh_public_keys', [1]],
      ['init_scripts', ['x']],
      ['cluster_log_conf', 'x'],
      ['docker_image', 'x'],
      ['data_security_mode', 1],
      ['enable_elastic_disk', 'yes'],
      ['azure_attributes', 1],
      ['workload_type', 1],
      ['clone_from', 'x'],
      ['is_single_node', 1],
    ] as const
  ).map(
    ([field, value]): Fact => [
      `${JSON.stringify(value)} is no value for ${field}`,
      ({ post }) => post('create', { ...spec, [field]: value }),
      malformed(field),
    ],
  ),
];

checkFacts('data platform: facts of new clusters', CREATION);
