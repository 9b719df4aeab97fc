import { expect } from 'vitest';
import { checkFacts, type Fact, invalid, keys, OK, refused } from '../compute/facts.ts';
import { good, person, refusal } from '../support.ts';
import { act, create, get, PATH, PRO, running, state, stopped } from './facts.ts';

const CONFIG = '/sql/config/warehouses';
const gone = { status: 404, code: 'RESOURCE_DOES_NOT_EXIST', message: expect.any(String) };

const LIFE: readonly Fact[] = [
  ['an unknown warehouse is not found', ({ ask }) => ask('GET', `${PATH}/0000000000000000`).then(refusal), gone],
  [
    'a warehouse runs after two minutes',
    async (world) => keys(get(world, await running(world)), 'state', 'num_clusters', 'num_active_sessions'),
    { state: 'RUNNING', num_clusters: 1, num_active_sessions: 0 },
  ],
  [
    'a serverless one after five seconds',
    async (world) => {
      const id = await create(world, PRO);
      await world.advance('5s');
      return state(world, id);
    },
    'RUNNING',
  ],
  [
    'start of a running warehouse does nothing',
    async (world) => {
      const id = await running(world);
      return [await act(world, id, 'start'), await state(world, id)];
    },
    [OK, 'RUNNING'],
  ],
  [
    'stop goes over STOPPING to STOPPED',
    async (world) => {
      const id = await running(world);
      await act(world, id, 'stop');
      const first = await state(world, id);
      await world.advance('30s');
      return [first, await state(world, id), (await get(world, id)).num_clusters];
    },
    ['STOPPING', 'STOPPED', 0],
  ],
  [
    'stop of a stopped warehouse does nothing',
    async (world) => {
      const id = await stopped(world);
      return [await act(world, id, 'stop'), await state(world, id)];
    },
    [OK, 'STOPPED'],
  ],
  [
    'stop while it starts',
    async (world) => {
      const id = await create(world);
      await act(world, id, 'stop');
      await world.advance('10m');
      return state(world, id);
    },
    'STOPPED',
  ],
  [
    'start while it stops',
    async (world) => {
      const id = await running(world);
      await act(world, id, 'stop');
      await act(world, id, 'start');
      await world.advance('1m');
      const first = await state(world, id);
      await world.advance('1m');
      return [first, await state(world, id)];
    },
    ['STARTING', 'RUNNING'],
  ],
  [
    'delete while it starts',
    async (world) => {
      const id = await create(world);
      const answer = refusal(await world.ask('DELETE', `${PATH}/${id}`));
      const first = await state(world, id);
      await world.advance('30s');
      return [answer, first, (await world.ask('GET', `${PATH}/${id}`)).status];
    },
    [OK, 'DELETING', 404],
  ],
  [
    'a warehouse that is being deleted cannot be changed',
    async (world) => {
      const id = await running(world);
      await world.ask('DELETE', `${PATH}/${id}`);
      const answers = [];
      for (const verb of ['start', 'stop', 'edit']) answers.push(await act(world, id, verb));
      answers.push(refusal(await world.ask('DELETE', `${PATH}/${id}`)));
      return answers;
    },
    [gone, gone, gone, gone],
  ],
  [
    'it stops by itself after auto_stop_mins',
    async (world) => {
      const id = await running(world, { auto_stop_mins: 10 });
      await world.advance('9m59s');
      const before = await state(world, id);
      await world.advance('31s');
      return [before, await state(world, id)];
    },
    ['RUNNING', 'STOPPED'],
  ],
  [
    'it never stops by itself with 0',
    async (world) => {
      const id = await running(world, { auto_stop_mins: 0 });
      await world.advance('400d');
      return state(world, id);
    },
    'RUNNING',
  ],
  [
    'a shorter time holds from the edit on',
    async (world) => {
      const id = await running(world);
      await world.advance('60m');
      await act(world, id, 'edit', { auto_stop_mins: 10 });
      await world.advance('31s');
      return state(world, id);
    },
    'STOPPED',
  ],
  [
    'an edit of the name restarts nothing',
    async (world) => {
      const id = await running(world);
      await act(world, id, 'edit', { name: 'other' });
      return keys(get(world, id), 'name', 'state');
    },
    { name: 'other', state: 'RUNNING' },
  ],
  [
    'an edit of the size restarts it',
    async (world) => {
      const id = await running(world);
      await act(world, id, 'edit', { cluster_size: 'Large' });
      return state(world, id);
    },
    'STARTING',
  ],
  [
    'an edit leaves a stopped warehouse so',
    async (world) => {
      const id = await stopped(world);
      await act(world, id, 'edit', { cluster_size: 'Large' });
      return keys(get(world, id), 'state', 'cluster_size');
    },
    { state: 'STOPPED', cluster_size: 'Large' },
  ],
  [
    'an edit that is refused changes nothing',
    async (world) => {
      const id = await running(world);
      return [
        await act(world, id, 'edit', { cluster_size: 'Large', auto_stop_mins: 3 }),
        (await get(world, id)).cluster_size,
      ];
    },
    [invalid('auto_stop_mins'), '2X-Small'],
  ],
  [
    'lists come in pages, in the order of creation',
    async (world) => {
      for (const name of ['c', 'a', 'b']) {
        await create(world, { name });
        await world.advance('1s');
      }
      const first = await good(world.ask('GET', `${PATH}?page_size=2&run_as_user_id=7`));
      const second = await good(
        world.ask('GET', `${PATH}?page_size=2&run_as_user_id=7&page_token=${first.next_page_token}`),
      );
      return [...first.warehouses, ...second.warehouses].map(({ name }) => name);
    },
    ['c', 'a', 'b'],
  ],
  [
    'older APIs list them as data sources',
    async (world) => {
      const id = await create(world);
      const found = await good(world.ask('GET', '/preview/sql/data_sources'));
      return found.map((each: { warehouse_id: string }) => ({ ...each, warehouse_id: each.warehouse_id === id }));
    },
    [
      {
        id: expect.any(String),
        name: 'w',
        warehouse_id: true,
        type: expect.any(String),
        syntax: 'sql',
        paused: 0,
        pause_reason: null,
        supports_auto_limit: true,
        view_only: false,
      },
    ],
  ],
];

const CONFIGURATION: readonly Fact[] = [
  [
    'the configuration has its defaults',
    ({ ask }) =>
      keys(
        good(ask('GET', CONFIG)),
        'security_policy',
        'data_access_config',
        'enable_serverless_compute',
        'enabled_warehouse_types',
      ),
    {
      security_policy: 'DATA_ACCESS_CONTROL',
      data_access_config: [],
      enable_serverless_compute: true,
      enabled_warehouse_types: [
        { warehouse_type: 'CLASSIC', enabled: true },
        { warehouse_type: 'PRO', enabled: true },
      ],
    },
  ],
  ...['NONE', 'DATA_ACCESS_CONTROL', 'PASSTHROUGH'].map(
    (policy): Fact => [
      `there is the security policy ${policy}`,
      async ({ ask }) => {
        await good(ask('PUT', CONFIG, { security_policy: policy }));
        return (await good(ask('GET', CONFIG))).security_policy;
      },
      policy,
    ],
  ),
  [
    'there is no other',
    ({ ask }) => ask('PUT', CONFIG, { security_policy: 'OPEN' }).then(refusal),
    invalid('security_policy'),
  ],
  [
    'pairs have a key and a value',
    async ({ ask }) => {
      const data_access_config = [{ key: 'spark.x', value: '1' }];
      const sql_configuration_parameters = { configuration_pairs: [{ key: 'ANSI_MODE', value: 'true' }] };
      await good(ask('PUT', CONFIG, { data_access_config, sql_configuration_parameters }));
      return keys(good(ask('GET', CONFIG)), 'data_access_config', 'sql_configuration_parameters');
    },
    {
      data_access_config: [{ key: 'spark.x', value: '1' }],
      sql_configuration_parameters: { configuration_pairs: [{ key: 'ANSI_MODE', value: 'true' }] },
    },
  ],
  [
    'anything else is no pair',
    ({ ask }) => ask('PUT', CONFIG, { data_access_config: ['x'] }).then(refusal),
    refused('MALFORMED_REQUEST'),
  ],
  [
    'the channel of the configuration is one of four',
    ({ ask }) => ask('PUT', CONFIG, { channel: { name: 'NEXT' } }).then(refusal),
    invalid('channel.name'),
  ],
  [
    'it restarts what runs and leaves what does not',
    async (world) => {
      const ids = [await running(world), await stopped(world, { name: 'x' })];
      await good(world.ask('PUT', CONFIG, {}));
      await world.advance('1s');
      return [await state(world, ids[0] as string), await state(world, ids[1] as string)];
    },
    ['STARTING', 'STOPPED'],
  ],
  [
    'administrators change it',
    async (world) => refusal(await (await person(world.bench, 'licensed'))('PUT', CONFIG, {})),
    { status: 403, code: 'PERMISSION_DENIED', message: expect.any(String) },
  ],
  [
    'there are five levels of permission',
    async (world) =>
      (
        await good(world.ask('GET', `/permissions/warehouses/${await create(world)}/permissionLevels`))
      ).permission_levels
        .map((each: { permission_level: string }) => each.permission_level)
        .sort(),
    ['CAN_MANAGE', 'CAN_MONITOR', 'CAN_USE', 'CAN_VIEW', 'IS_OWNER'],
  ],
  [
    'both paths of the permissions are one object',
    async (world) => {
      const id = await create(world);
      const [one, two] = await Promise.all([
        good(world.ask('GET', `/permissions/warehouses/${id}`)),
        good(world.ask('GET', `/permissions/sql/warehouses/${id}`)),
      ]);
      return [one.object_id === `/sql/warehouses/${id}`, two.object_id === one.object_id, one.object_type];
    },
    [true, true, 'warehouses'],
  ],
];

checkFacts('data platform: facts of the life of SQL warehouses', [...LIFE, ...CONFIGURATION]);
