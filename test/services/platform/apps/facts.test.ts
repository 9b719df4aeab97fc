import { expect } from 'vitest';
import { checkFacts, type Fact, invalid, keys, malformed, OK, refused, type World } from '../compute/facts.ts';
import { by, good, refusal } from '../support.ts';

/** Rules in the reference about apps. */

const PATH = '/apps';
const make = async ({ ask }: World, body: object = {}, query = '') =>
  refusal(await ask('POST', `${PATH}${query}`, { name: 'shop', ...body }));
const create = ({ ask }: World, body: object = {}, query = '') =>
  good(ask('POST', `${PATH}${query}`, { name: 'shop', ...body }));
const get = ({ ask }: World, path = '') => good(ask('GET', `${PATH}/shop${path}`));
const post = async ({ ask }: World, path: string, body: object = {}) =>
  refusal(await ask('POST', `${PATH}/shop/${path}`, body));
const active = async (world: World, body: object = {}): Promise<void> => {
  await create(world, body);
  await world.advance('2m');
};
const deploy = (world: World, body: object = {}) =>
  post(world, 'deployments', { source_code_path: '/Workspace/Shared', ...body });
const states = async (world: World) => {
  const { compute_status, app_status } = await get(world);
  return [compute_status.state, app_status.state];
};
const MISSING = { status: 404, code: 'RESOURCE_DOES_NOT_EXIST', message: expect.any(String) };
const CONFLICT = { status: 409, code: 'RESOURCE_CONFLICT', message: expect.any(String) };
const BAD = refused('BAD_REQUEST');

const CREATION: readonly Fact[] = [
  ['a name is required', async ({ ask }) => refusal(await ask('POST', PATH, {})), invalid('name')],
  [
    'a name has 2 to 30 lower-case letters, digits and hyphens',
    async (world) =>
      Promise.all(
        ['a1', `a-${'x'.repeat(28)}`, 'a', 'x'.repeat(31), 'Shop', 'a_b'].map((name) => make(world, { name })),
      ),
    [OK, OK, invalid('name'), invalid('name'), invalid('name'), invalid('name')],
  ],
  [
    'a second app with the same name is refused',
    async (world) => {
      await create(world);
      return make(world);
    },
    { status: 409, code: 'RESOURCE_ALREADY_EXISTS', message: 'An app with the same name already exists: shop' },
  ],
  [
    'an app has an id, a URL, a service principal and an OAuth client',
    async (world) =>
      keys(
        create(world),
        'id',
        'url',
        'service_principal_id',
        'service_principal_client_id',
        'oauth2_app_client_id',
        'creator',
        'updater',
        'create_time',
      ),
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: expect.stringMatching(/^https:\/\/shop-\d+\./),
      service_principal_id: expect.any(Number),
      service_principal_client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      oauth2_app_client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      creator: 'admin@vendor.example',
      updater: 'admin@vendor.example',
      create_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    },
  ],
  ...['MEDIUM', 'LARGE', 'XLARGE'].map(
    (compute_size): Fact => [
      `there is the size ${compute_size}`,
      async (world) => (await create(world, { compute_size })).compute_size,
      compute_size,
    ],
  ),
  ['there is no other size', (world) => make(world, { compute_size: 'TINY' }), invalid('compute_size')],
  [
    'user scopes must be known, and some are always present',
    async (world) => [
      (await create(world, { user_api_scopes: ['sql'] })).effective_user_api_scopes,
      await make(world, { name: 'other', user_api_scopes: ['fly'] }),
    ],
    [['iam.access-control:read', 'iam.current-user:read', 'sql'], invalid("'fly'")],
  ],
  [
    'a new app starts, which takes 2 minutes',
    async (world) => {
      await create(world);
      const before = await states(world);
      await world.advance('119s');
      const still = await states(world);
      await world.advance('1s');
      return [before, still, await states(world)];
    },
    [
      ['STARTING', 'UNAVAILABLE'],
      ['STARTING', 'UNAVAILABLE'],
      ['ACTIVE', 'UNAVAILABLE'],
    ],
  ],
  [
    'no_compute leaves it stopped and unavailable until it is started',
    async (world) => {
      await create(world, {}, '?no_compute=true');
      await world.advance('10m');
      const before = await states(world);
      await post(world, 'start');
      await world.advance('2m');
      return [before, await states(world)];
    },
    [
      ['STOPPED', 'UNAVAILABLE'],
      ['ACTIVE', 'UNAVAILABLE'],
    ],
  ],
  [
    'a resource has a name and is of exactly one kind',
    async (world) =>
      Promise.all(
        [
          [{ name: 'r' }],
          [{ name: 'r', job: { id: '1', permission: 'CAN_VIEW' }, sql_warehouse: { id: '1', permission: 'CAN_USE' } }],
          [{ job: { id: '1', permission: 'CAN_VIEW' } }],
          [{ name: 'r', job: { id: '1' } }],
          [{ name: 'r', job: { id: '1', permission: 'READ' } }],
        ].map((resources) => make(world, { resources })),
      ),
    [invalid('exactly one'), invalid('exactly one'), invalid('name'), invalid('permission'), invalid('permission')],
  ],
  [
    'resources outside of the platform are stored as sent',
    async (world) => {
      const resources = [
        {
          name: 'u',
          uc_securable: { securable_full_name: 'a.b.c', securable_type: 'VOLUME', permission: 'READ_VOLUME' },
        },
        { name: 'g', genie_space: { name: 'g', space_id: 's', permission: 'CAN_RUN' } },
        { name: 'd', database: { database_name: 'd', instance_name: 'i', permission: 'CAN_CONNECT_AND_CREATE' } },
      ];
      return (await create(world, { resources })).resources.length;
    },
    3,
  ],
  ['a field of another type is malformed', (world) => make(world, { resources: 5 }), malformed('resources')],
];

const LISTS: readonly Fact[] = [
  [
    'a list has pages, and can be that of a space',
    async (world) => {
      for (const name of ['aa', 'bb', 'cc']) await create(world, { name, ...(name === 'bb' && { space: 's' }) });
      const first = await good(world.ask('GET', `${PATH}?page_size=2`));
      const second = await good(world.ask('GET', `${PATH}?page_size=2&page_token=${first.next_page_token}`));
      const space = await good(world.ask('GET', `${PATH}?space=s`));
      const names = (page: { apps: { name: string }[] }) => page.apps.map(({ name }) => name);
      return [names(first), names(second), second.next_page_token, names(space)];
    },
    [['aa', 'bb'], ['cc'], undefined, ['bb']],
  ],
  ['an unknown app does not exist', async ({ ask }) => refusal(await ask('GET', `${PATH}/none`)), MISSING],
];

const LIFE: readonly Fact[] = [
  [
    'stop takes half a minute, start two; an app in the target state stays as it is',
    async (world) => {
      await active(world);
      const seen = [];
      for (const [verb, time] of [
        ['stop', '30s'],
        ['stop', '1s'],
        ['start', '2m'],
        ['start', '1s'],
      ] as const) {
        await post(world, verb);
        const [during] = await states(world);
        await world.advance(time);
        seen.push([during, (await states(world))[0]]);
      }
      return seen;
    },
    [
      ['STOPPING', 'STOPPED'],
      ['STOPPED', 'STOPPED'],
      ['STARTING', 'ACTIVE'],
      ['ACTIVE', 'ACTIVE'],
    ],
  ],
  [
    'a deleted app is DELETING and gone a little later; a second deletion is refused meanwhile',
    async (world) => {
      await active(world);
      const { compute_status } = await good(world.ask('DELETE', `${PATH}/shop`));
      const again = refusal(await world.ask('DELETE', `${PATH}/shop`));
      const busy = [await post(world, 'start'), await make(world), await deploy(world)];
      await world.advance('1m');
      return [
        compute_status.state,
        again,
        busy.map(({ status }) => status),
        refusal(await world.ask('GET', `${PATH}/shop`)),
        await make(world),
      ];
    },
    [
      'DELETING',
      refused('BAD_REQUEST', expect.stringMatching(/not terminal.*less than 20 minutes ago/)),
      [400, 409, 400],
      MISSING,
      OK,
    ],
  ],
];

const DEPLOYMENTS: readonly Fact[] = [
  [
    'a deployment takes 2 minutes and is the active one then',
    async (world) => {
      await active(world);
      await deploy(world, { deployment_id: 'one' });
      const during = await get(world);
      await world.advance('2m');
      const after = await get(world);
      return [
        during.app_status.state,
        during.pending_deployment.status.state,
        during.active_deployment,
        after.app_status.state,
        after.pending_deployment,
        after.active_deployment.deployment_id,
        after.default_source_code_path,
      ];
    },
    ['DEPLOYING', 'IN_PROGRESS', undefined, 'RUNNING', undefined, 'one', '/Workspace/Shared'],
  ],
  [
    'one deployment is made at a time',
    async (world) => {
      await active(world);
      await deploy(world);
      return deploy(world);
    },
    CONFLICT,
  ],
  [
    'an app without compute is not deployed',
    async (world) => {
      await create(world);
      return deploy(world);
    },
    BAD,
  ],
  [
    'a deployment without a source uses the previous source',
    async (world) => {
      await active(world);
      const none = await post(world, 'deployments', {});
      await deploy(world);
      await world.advance('2m');
      return [none, await post(world, 'deployments', {})];
    },
    [invalid('source_code_path'), OK],
  ],
  [
    'a missing source fails the deployment, and the previous one keeps running',
    async (world) => {
      await active(world);
      await deploy(world, { source_code_path: '/Workspace/none', deployment_id: 'one' });
      await world.advance('2m');
      const crashed = (await get(world)).app_status;
      const failed = (await get(world, '/deployments/one')).status;
      await deploy(world);
      await world.advance('2m');
      await deploy(world, {
        env_vars: [{ name: 'CLOUDJAR_DEPLOYMENT_ERROR', value: 'no port' }],
        deployment_id: 'three',
      });
      await world.advance('2m');
      return [crashed, failed, (await get(world)).app_status.state, (await get(world, '/deployments/three')).status];
    },
    [
      { state: 'CRASHED', message: 'The source code path /Workspace/none does not exist.' },
      { state: 'FAILED', message: 'The source code path /Workspace/none does not exist.' },
      'RUNNING',
      { state: 'FAILED', message: 'no port' },
    ],
  ],
  [
    'stop cancels a deployment that is being made',
    async (world) => {
      await active(world);
      await deploy(world, { deployment_id: 'one' });
      await post(world, 'stop');
      await world.advance('5m');
      return [(await get(world, '/deployments/one')).status.state, await states(world)];
    },
    ['CANCELLED', ['STOPPED', 'UNAVAILABLE']],
  ],
  [
    'deployments are listed, the newest first, in pages',
    async (world) => {
      await active(world);
      for (const deployment_id of ['one', 'two', 'three']) {
        await deploy(world, { deployment_id, mode: 'AUTO_SYNC' });
        await world.advance('2m');
      }
      const first = await get(world, '/deployments?page_size=2');
      const second = await get(world, `/deployments?page_size=2&page_token=${first.next_page_token}`);
      const ids = [...first.app_deployments, ...second.app_deployments].map(
        (each: { deployment_id: string }) => each.deployment_id,
      );
      return [
        ids,
        first.app_deployments[0].mode,
        await deploy(world, { deployment_id: 'one' }),
        refusal(await world.ask('GET', `${PATH}/shop/deployments/none`)),
      ];
    },
    [
      ['three', 'two', 'one'],
      'AUTO_SYNC',
      { status: 409, code: 'RESOURCE_ALREADY_EXISTS', message: expect.any(String) },
      MISSING,
    ],
  ],
  [
    'there is no other mode',
    async (world) => {
      await active(world);
      return deploy(world, { mode: 'LIVE' });
    },
    invalid('mode'),
  ],
  [
    'a variable has a value or says where it is from',
    async (world) => {
      await active(world);
      return [
        await deploy(world, { env_vars: [{ name: 'A' }] }),
        await deploy(world, { env_vars: [{ name: 'A', value_from: 'r' }], command: ['run'] }),
      ];
    },
    [invalid('exactly one of'), OK],
  ],
];

const UPDATES: readonly Fact[] = [
  [
    'PATCH changes its fields immediately, but never the size',
    async (world) => {
      await active(world, { user_api_scopes: ['sql'] });
      const patch = async (body: object) => world.ask('PATCH', `${PATH}/shop`, body);
      const { description, user_api_scopes } = (await patch({ description: 'new' })).body;
      return [description, user_api_scopes, refusal(await patch({ compute_size: 'LARGE' }))];
    },
    ['new', ['sql'], invalid('compute size')],
  ],
  [
    'an app that was never updated says so',
    async (world) => {
      await active(world);
      return get(world, '/update');
    },
    { status: { state: 'NOT_UPDATED', message: '' } },
  ],
  [
    'an update changes the fields in its mask when it ends',
    async (world) => {
      await active(world, { description: 'old' });
      const begun = await good(
        world.ask('POST', `${PATH}/shop/update`, {
          update_mask: 'compute_size,description',
          app: { compute_size: 'XLARGE', user_api_scopes: ['sql'] },
        }),
      );
      const during = await get(world);
      const other = [
        await post(world, 'update', { update_mask: 'description', app: {} }),
        await post(world, 'stop'),
        await deploy(world),
      ];
      await world.advance('1m');
      const after = await get(world);
      return [
        begun.status.state,
        during.compute_status.state,
        during.compute_size,
        other,
        (await get(world, '/update')).status.state,
        after.compute_status.state,
        after.compute_size,
        after.description,
        after.user_api_scopes,
      ];
    },
    [
      'IN_PROGRESS',
      'UPDATING',
      'MEDIUM',
      [CONFLICT, CONFLICT, CONFLICT],
      'SUCCEEDED',
      'ACTIVE',
      'XLARGE',
      '',
      undefined,
    ],
  ],
  [
    'an update needs a mask, of fields that apps have',
    async (world) => {
      await active(world);
      return [
        await post(world, 'update', { app: {} }),
        await post(world, 'update', { update_mask: 'colour', app: {} }),
      ];
    },
    [invalid('update_mask'), invalid("'colour'")],
  ],
  [
    'a stopped app is updated and stays stopped',
    async (world) => {
      await create(world, {}, '?no_compute=true');
      await post(world, 'update', { update_mask: '*', app: { compute_size: 'LARGE' } });
      await world.advance('1m');
      const { compute_status, compute_size } = await get(world);
      return [compute_status.state, compute_size];
    },
    ['STOPPED', 'LARGE'],
  ],
];

const PEOPLE: readonly Fact[] = [
  [
    'the levels are CAN_USE and CAN_MANAGE, by the name of the app',
    async (world) => {
      await create(world);
      const levels = await good(world.ask('GET', '/permissions/apps/shop/permissionLevels'));
      const acl = await good(world.ask('GET', '/permissions/apps/shop'));
      return [
        levels.permission_levels.map((each: { permission_level: string }) => each.permission_level),
        acl.object_id,
        acl.object_type,
      ];
    },
    [['CAN_USE', 'CAN_MANAGE'], '/apps/shop', 'apps'],
  ],
  [
    'CAN_USE reads, CAN_MANAGE changes; others see nothing, another account does not even find it',
    async (world) => {
      await active(world);
      const licensed = by(world.bench, await world.bench.jar.token({ user: 'licensed', ttl: '1d' }));
      const other = by(world.bench, await world.bench.jar.token({ user: 'other', ttl: '1d' }));
      const tries = async () => [
        (await licensed('GET', `${PATH}/shop`)).status,
        (await licensed('POST', `${PATH}/shop/stop`)).status,
        (await good(licensed('GET', PATH))).apps.length,
      ];
      const give = (permission_level: string) =>
        good(
          world.ask('PATCH', '/permissions/apps/shop', {
            access_control_list: [{ user_name: 'licensed@vendor.example', permission_level }],
          }),
        );
      const none = await tries();
      await give('CAN_USE');
      const use = await tries();
      await give('CAN_MANAGE');
      return [
        none,
        use,
        await tries(),
        (await other('GET', `${PATH}/shop`)).status,
        (await good(other('GET', PATH))).apps,
      ];
    },
    [[403, 403, 0], [200, 403, 1], [200, 200, 1], 404, []],
  ],
];

checkFacts('data platform: apps as the reference has them', [
  ...CREATION,
  ...LISTS,
  ...LIFE,
  ...DEPLOYMENTS,
  ...UPDATES,
  ...PEOPLE,
]);
