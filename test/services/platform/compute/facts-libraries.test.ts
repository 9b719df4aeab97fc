import { expect } from 'vitest';
import { good, refusal } from '../support.ts';
import { checkFacts, type Fact, invalid, keys, OK, refused, type World } from './facts.ts';
import { createCluster, runningCluster } from './support.ts';

const gone = { status: 404, code: 'RESOURCE_DOES_NOT_EXIST', message: expect.any(String) };

const wheels = (count: number) => Array.from({ length: count }, (_, n) => ({ whl: `dbfs:/${n}.whl` }));

const statuses = async ({ ask }: World, cluster_id: string) =>
  (await good(ask('GET', `/libraries/cluster-status?cluster_id=${cluster_id}`))).library_statuses;
const library =
  (verb: 'install' | 'uninstall') =>
  async ({ ask }: World, cluster_id: string, ...libraries: object[]) =>
    refusal(await ask('POST', `/libraries/${verb}`, { cluster_id, libraries }));
const [install, uninstall] = [library('install'), library('uninstall')];

const LIBRARIES: readonly Fact[] = [
  ...[
    { jar: 'dbfs:/a.jar' },
    { whl: 'dbfs:/a.whl' },
    { requirements: '/Workspace/r.txt' },
    { pypi: { package: 'a', repo: 'https://r' } },
    { maven: { coordinates: 'a:b:1', repo: 'https://r', exclusions: ['c:d'] } },
    { cran: { package: 'a' } },
  ].map(
    (each): Fact => [
      `${JSON.stringify(each)} is installed`,
      async (world) => {
        const id = await runningCluster(world.bench, world.ask);
        await install(world, id, each);
        await world.advance('1m');
        return statuses(world, id);
      },
      [{ library: each, status: 'INSTALLED', is_library_for_all_clusters: false }],
    ],
  ),
  [
    'an egg fails on a current runtime',
    async (world) => {
      const id = await runningCluster(world.bench, world.ask);
      await install(world, id, { egg: 'dbfs:/a.egg' });
      await world.advance('1m');
      return statuses(world, id);
    },
    [
      {
        library: { egg: 'dbfs:/a.egg' },
        status: 'FAILED',
        messages: [expect.stringContaining('egg')],
        is_library_for_all_clusters: false,
      },
    ],
  ],
  [
    'a library for another Scala version is skipped',
    async (world) => {
      const id = await runningCluster(world.bench, world.ask);
      await install(
        world,
        id,
        { maven: { coordinates: 'org.example:it_2.11:1' } },
        { maven: { coordinates: 'org.example:it_2.12:1' } },
      );
      await world.advance('1m');
      return (await statuses(world, id)).map(({ status }: { status: string }) => status);
    },
    ['SKIPPED', 'INSTALLED'],
  ],
  [
    'a library that is removed stays until the restart',
    async (world) => {
      const cluster_id = await runningCluster(world.bench, world.ask);
      await install(world, cluster_id, ...wheels(1));
      await world.advance('1m');
      await uninstall(world, cluster_id, ...wheels(1));
      const before = (await statuses(world, cluster_id))[0].status;
      await world.post('restart', { cluster_id });
      return [before, await statuses(world, cluster_id)];
    },
    ['UNINSTALL_ON_RESTART', []],
  ],
  [
    'a library that is installed again before the restart stays',
    async (world) => {
      const id = await runningCluster(world.bench, world.ask);
      await install(world, id, ...wheels(1));
      await world.advance('1m');
      await uninstall(world, id, ...wheels(1));
      await uninstall(world, id, ...wheels(1));
      await install(world, id, ...wheels(1));
      return (await statuses(world, id))[0].status;
    },
    'INSTALLED',
  ],
  [
    'a failed library is retried',
    async (world) => {
      const id = await runningCluster(world.bench, world.ask);
      await install(world, id, { jar: 'nowhere' });
      await world.advance('1m');
      await uninstall(world, id, { jar: 'nowhere' });
      await install(world, id, { jar: 'nowhere' });
      const first = (await statuses(world, id))[0].status;
      await world.advance('1m');
      return [first, (await statuses(world, id))[0].status];
    },
    ['PENDING', 'FAILED'],
  ],
  [
    'a library is removed immediately from a terminated cluster',
    async (world) => {
      const cluster_id = await runningCluster(world.bench, world.ask);
      await install(world, cluster_id, ...wheels(2));
      await world.post('delete', { cluster_id });
      await world.advance('1m');
      await uninstall(world, cluster_id, ...wheels(1));
      return (await statuses(world, cluster_id)).length;
    },
    1,
  ],
  [
    'clusters without libraries are in no list of all',
    async (world) => {
      await createCluster(world.ask);
      const id = await createCluster(world.ask);
      await install(world, id, ...wheels(1));
      return (await good(world.ask('GET', '/libraries/all-cluster-statuses'))).statuses.map(
        (each: { cluster_id: string }) => each.cluster_id === id,
      );
    },
    [true],
  ],
  [
    'an unknown cluster does not exist',
    (world) => install(world, 'none', ...wheels(1)),
    refused('INVALID_PARAMETER_VALUE', 'Cluster none does not exist'),
  ],
  [
    'a library is an object',
    async (world) =>
      refusal(
        await world.ask('POST', '/libraries/install', { cluster_id: await createCluster(world.ask), libraries: ['x'] }),
      ),
    refused('MALFORMED_REQUEST'),
  ],
  [
    'exclusions are texts',
    async (world) =>
      install(world, await createCluster(world.ask), { maven: { coordinates: 'a:b:1', exclusions: [1] } }),
    refused('MALFORMED_REQUEST'),
  ],
];

const SCRIPTS = '/global-init-scripts';
const echo = Buffer.from('echo hi').toString('base64');

const INIT_SCRIPTS: readonly Fact[] = [
  [
    'a script answers its id',
    ({ ask }) => good(ask('POST', SCRIPTS, { name: 's', script: echo })),
    { script_id: expect.any(String) },
  ],
  [
    'it needs a name',
    ({ ask }) => ask('POST', SCRIPTS, { script: echo }).then(refusal),
    invalid('Missing required field: name'),
  ],
  [
    'it needs a script',
    ({ ask }) => ask('POST', SCRIPTS, { name: 's' }).then(refusal),
    invalid('Missing required field: script'),
  ],
  [
    '64 KB are allowed',
    ({ ask }) =>
      ask('POST', SCRIPTS, { name: 's', script: Buffer.alloc(65_536, 'a').toString('base64') }).then(refusal),
    OK,
  ],
  [
    'a byte more is not',
    ({ ask }) =>
      ask('POST', SCRIPTS, { name: 's', script: Buffer.alloc(65_537, 'a').toString('base64') }).then(refusal),
    invalid('65536'),
  ],
  [
    'lists omit the content',
    async ({ ask }) => {
      await good(ask('POST', SCRIPTS, { name: 's', script: echo }));
      return Object.keys((await good(ask('GET', SCRIPTS))).scripts[0]).sort();
    },
    ['created_at', 'created_by', 'enabled', 'name', 'position', 'script_id', 'updated_at', 'updated_by'],
  ],
  [
    'a script is disabled and last unless said',
    async ({ ask }) => {
      await good(ask('POST', SCRIPTS, { name: 'a', script: echo }));
      const { script_id } = await good(ask('POST', SCRIPTS, { name: 'b', script: echo }));
      return keys(good(ask('GET', `${SCRIPTS}/${script_id}`)), 'enabled', 'position', 'script');
    },
    { enabled: false, position: 1, script: echo },
  ],
  [
    'a deleted script is not found',
    async ({ ask }) => {
      const { script_id } = await good(ask('POST', SCRIPTS, { name: 'a', script: echo }));
      await good(ask('DELETE', `${SCRIPTS}/${script_id}`));
      return refusal(await ask('GET', `${SCRIPTS}/${script_id}`));
    },
    gone,
  ],
];

checkFacts('data platform: facts of libraries and init scripts', [...LIBRARIES, ...INIT_SCRIPTS]);
