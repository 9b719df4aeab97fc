import { expect } from 'vitest';
import { checkFacts, type Fact, invalid, keys, malformed, OK, refused } from '../compute/facts.ts';
import { good } from '../support.ts';
import { create, get, make, PATH, PRO, state } from './facts.ts';

const tags = (count: number) => ({
  custom_tags: Array.from({ length: count }, (_, n) => ({ key: `k${n}`, value: 'v' })),
});
const FIELDS: readonly Fact[] = [
  [
    'create answers the id alone, 16 hexadecimal digits',
    ({ ask }) => good(ask('POST', PATH, { name: 'w' })),
    { id: expect.stringMatching(/^[0-9a-f]{16}$/) },
  ],
  ['a new warehouse starts at once', async (world) => state(world, await create(world)), 'STARTING'],
  [
    'what is not said has its default',
    async (world) =>
      keys(
        get(world, await create(world)),
        'min_num_clusters',
        'max_num_clusters',
        'auto_stop_mins',
        'enable_photon',
        'enable_serverless_compute',
        'warehouse_type',
        'spot_instance_policy',
        'channel',
      ),
    {
      min_num_clusters: 1,
      max_num_clusters: 1,
      auto_stop_mins: 120,
      enable_photon: true,
      enable_serverless_compute: false,
      warehouse_type: 'CLASSIC',
      spot_instance_policy: 'COST_OPTIMIZED',
      channel: { name: 'CHANNEL_NAME_CURRENT' },
    },
  ],
  ...['2X-Small', 'X-Small', 'Small', 'Medium', 'Large', 'X-Large', '2X-Large', '3X-Large', '4X-Large', '5X-Large'].map(
    (size): Fact => [
      `there is the size ${size}`,
      async (world) => (await get(world, await create(world, { cluster_size: size }))).cluster_size,
      size,
    ],
  ),
  ['there is no other size', (world) => make(world, { cluster_size: '6X-Large' }), invalid('cluster_size')],
  [
    'a name has fewer than 100 characters',
    async (world) => [await make(world, { name: 'n'.repeat(99) }), await make(world, { name: 'n'.repeat(100) })],
    [OK, invalid('name')],
  ],
  [
    'a name is taken once',
    async (world) => {
      await create(world);
      return make(world);
    },
    refused('RESOURCE_ALREADY_EXISTS', expect.stringContaining('already exists')),
  ],
  [
    'the name of a deleted warehouse is free',
    async (world) => {
      await world.ask('DELETE', `${PATH}/${await create(world)}`);
      return make(world);
    },
    OK,
  ],
  ...(
    [
      [{ min_num_clusters: 0 }, 'min'],
      [{ min_num_clusters: 31, max_num_clusters: 40 }, 'min'],
      [{ min_num_clusters: 3, max_num_clusters: 2 }, 'min'],
      [{ max_num_clusters: 41 }, 'max'],
    ] as const
  ).map(
    ([body, word]): Fact => [
      `${JSON.stringify(body)} is refused`,
      (world) => make(world, body),
      invalid(`${word}_num_clusters`),
    ],
  ),
  ['30 of 40 clusters are allowed', (world) => make(world, { min_num_clusters: 30, max_num_clusters: 40 }), OK],
  [
    'the most is the least unless said',
    async (world) => (await get(world, await create(world, { min_num_clusters: 4 }))).max_num_clusters,
    4,
  ],
  ...[0, 10, 1440].map(
    (minutes): Fact => [
      `${minutes} minutes until it stops are allowed`,
      (world) => make(world, { auto_stop_mins: minutes }),
      OK,
    ],
  ),
  ...[-1, 1, 9].map(
    (minutes): Fact => [
      `${minutes} minutes until it stops are not`,
      (world) => make(world, { auto_stop_mins: minutes }),
      invalid('auto_stop_mins'),
    ],
  ),
  [
    'fewer than 45 tags are allowed',
    async (world) => [await make(world, { tags: tags(44) }), await make(world, { name: 'x', tags: tags(45) })],
    [OK, invalid('custom_tags')],
  ],
  ['tags come back', async (world) => (await get(world, await create(world, { tags: tags(1) }))).tags, tags(1)],
  [
    'serverless needs the type PRO',
    async (world) => [await make(world, { enable_serverless_compute: true }), await make(world, PRO)],
    [invalid('PRO'), OK],
  ],
  [
    'a type that is not specified is CLASSIC',
    async (world) => (await get(world, await create(world, { warehouse_type: 'TYPE_UNSPECIFIED' }))).warehouse_type,
    'CLASSIC',
  ],
  ...['COST_OPTIMIZED', 'RELIABILITY_OPTIMIZED', 'POLICY_UNSPECIFIED'].map(
    (policy): Fact => [`there is the policy ${policy}`, (world) => make(world, { spot_instance_policy: policy }), OK],
  ),
  ...['CURRENT', 'PREVIEW', 'PREVIOUS', 'CUSTOM'].map(
    (name): Fact => [
      `there is the channel ${name}`,
      async (world) =>
        (await get(world, await create(world, { channel: { name: `CHANNEL_NAME_${name}`, dbsql_version: '2026.1' } })))
          .channel,
      { name: `CHANNEL_NAME_${name}`, dbsql_version: '2026.1' },
    ],
  ),
  ['there is no other channel', (world) => make(world, { channel: { name: 'CHANNEL_NAME_NEXT' } }), invalid('name')],
  [
    'the name of the creator is read only',
    async (world) => (await get(world, await create(world, { creator_name: 'somebody' }))).creator_name,
    expect.stringContaining('@'),
  ],
  [
    'drivers find their address',
    async (world) => {
      const id = await create(world);
      const { odbc_params, jdbc_url } = await get(world, id);
      return [
        odbc_params.path === `/sql/1.0/warehouses/${id}`,
        odbc_params,
        jdbc_url.includes(`httpPath=/sql/1.0/warehouses/${id};`) &&
          jdbc_url.startsWith(`jdbc:spark://${odbc_params.hostname}:443/`),
      ];
    },
    [true, { hostname: expect.any(String), path: expect.any(String), port: 443, protocol: 'https' }, true],
  ],
  [
    'health is there from the start',
    async (world) => (await get(world, await create(world))).health,
    { status: 'HEALTHY', message: '', summary: '', details: '' },
  ],
  ...(
    [
      ['name', 1],
      ['cluster_size', 1],
      ['min_num_clusters', 'x'],
      ['auto_stop_mins', 1.5],
      ['enable_photon', 'yes'],
      ['channel', 'x'],
      ['tags', []],
      ['warehouse_type', {}],
    ] as const
  ).map(
    ([field, value]): Fact => [
      `${JSON.stringify(value)} is no value for ${field}`,
      (world) => make(world, { [field]: value }),
      malformed(field),
    ],
  ),
  ['tags are a list of pairs', (world) => make(world, { tags: { custom_tags: ['x'] } }), refused('MALFORMED_REQUEST')],
];

checkFacts('data platform: facts of new SQL warehouses', FIELDS);
