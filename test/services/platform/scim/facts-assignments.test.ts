import { expect } from 'vitest';
import { good, person, refusal } from '../support.ts';
import { checkFacts, type Fact, type Resource, type World } from './facts.ts';
import { group, SERVICE_PRINCIPALS, user, workspaceOf } from './support.ts';

const assignments = async ({ ask, account }: World): Promise<string> =>
  `${account}/workspaces/${await workspaceOf(ask)}/permissionassignments`;

/** An account user without a workspace. */
const outsider = async ({ ask, account }: World, name = 'ada'): Promise<string> =>
  (await good(ask('POST', `${account}/scim/v2/Users`, { userName: `${name}@contoso.example` }), 201)).id;

const set = async (world: World, id: string, permissions: unknown): Promise<Resource> =>
  refusalOrBody(await world.ask('PUT', `${await assignments(world)}/principals/${id}`, { permissions }));

const refusalOrBody = (reply: Parameters<typeof refusal>[0]) => (reply.status < 300 ? reply.body : refusal(reply));

const listed = async (world: World, query: Readonly<Record<string, string>> = {}): Promise<Resource[]> => {
  const path = `${await assignments(world)}?${new URLSearchParams(query)}`;
  return (await good(world.ask('GET', path), 200)).permission_assignments;
};

const users = (list: readonly Resource[]) => list.flatMap(({ principal }) => principal.user_name ?? []).sort();

const both = async (world: World): Promise<void> => {
  await user(world.ask, 'ada', { displayName: 'Ada' });
  await user(world.ask, 'bob', { displayName: 'Bob' });
};

const [ADA, BOB] = ['ada@contoso.example', 'bob@contoso.example'] as const;
const missing = { status: 404, code: 'RESOURCE_DOES_NOT_EXIST', message: expect.any(String) };
const invalid = { status: 400, code: 'INVALID_PARAMETER_VALUE', message: expect.any(String) };

const ACCOUNT: readonly Fact[] = [
  [
    'PUT assigns a user, and answers the principal and its permissions',
    async (world) => set(world, await outsider(world), ['USER']),
    {
      permissions: ['USER'],
      principal: { principal_id: expect.any(Number), user_name: ADA, display_name: ADA },
    },
  ],
  [
    'PUT assigns an administrator',
    async (world) => (await set(world, await outsider(world), ['ADMIN'])).permissions,
    ['ADMIN'],
  ],
  [
    'PUT changes what somebody is assigned as',
    async (world) => {
      const id = await outsider(world);
      await set(world, id, ['ADMIN']);
      await set(world, id, ['USER']);
      return (await listed(world, { filter: `user_name eq "${ADA}"` })).map(({ permissions }) => permissions);
    },
    [['USER']],
  ],
  [
    'PUT of an empty list removes the assignment',
    async (world) => {
      const id = await outsider(world);
      await set(world, id, ['USER']);
      const { permissions } = await set(world, id, []);
      return [permissions, users(await listed(world)).includes(ADA)];
    },
    [[], false],
  ],
  ...(
    [
      ['another permission', ['BOSS']],
      ['UNKNOWN', ['UNKNOWN']],
      ['a permission in another case', ['user']],
      ['no permissions at all', undefined],
    ] as const
  ).map(
    ([form, permissions]): Fact => [
      `PUT of ${form} is the same as of an empty list`,
      async (world) => {
        const { id } = await user(world.ask, 'ada');
        return [(await set(world, id, permissions)).permissions, users(await listed(world)).includes(ADA)];
      },
      [[], false],
    ],
  ),
  [
    'PUT of an empty list for somebody who is not assigned changes nothing',
    async (world) => (await set(world, await outsider(world), [])).permissions,
    [],
  ],
  [
    'of USER and ADMIN, ADMIN takes precedence',
    async (world) => (await set(world, await outsider(world), ['USER', 'ADMIN'])).permissions,
    ['ADMIN'],
  ],
  [
    'PUT of a wrong type is refused',
    async (world) => set(world, await outsider(world), 'USER'),
    { status: 400, code: 'MALFORMED_REQUEST', message: expect.stringContaining("'permissions'") },
  ],
  ['PUT of nobody is 404', (world) => set(world, '404', ['USER']), missing],
  [
    'PUT of a group of a workspace is 404',
    async (world) => set(world, (await group(world.ask, 'local')).id, ['USER']),
    missing,
  ],
  [
    'a group has a group_name and a service principal a service_principal_name',
    async (world) => {
      const { ask, account } = world;
      const big = await good(ask('POST', `${account}/scim/v2/Groups`, { displayName: 'big' }), 201);
      const robot = await good(ask('POST', `${account}/scim/v2/ServicePrincipals`, { displayName: 'robot' }), 201);
      const names = async (id: string) => Object.keys((await set(world, id, ['USER'])).principal).sort();
      return [await names(big.id), await names(robot.id)];
    },
    [
      ['display_name', 'group_name', 'principal_id'],
      ['display_name', 'principal_id', 'service_principal_name'],
    ],
  ],
  [
    'DELETE removes the assignment',
    async (world) => {
      const { id } = await user(world.ask, 'ada');
      const { status, body } = await world.ask('DELETE', `${await assignments(world)}/principals/${id}`);
      return [status, body, users(await listed(world)).includes(ADA)];
    },
    [200, {}, false],
  ],
  [
    'DELETE of what is not assigned is 404',
    async (world) =>
      refusal(await world.ask('DELETE', `${await assignments(world)}/principals/${await outsider(world)}`)),
    missing,
  ],
  [
    'GET permissions lists USER and ADMIN',
    async (world) => {
      const { permissions } = await good(world.ask('GET', `${await assignments(world)}/permissions`), 200);
      return permissions.map(({ permission_level }: Resource) => permission_level);
    },
    ['USER', 'ADMIN'],
  ],
  [
    'a list without max_results has everybody',
    async (world) => {
      for (let n = 0; n < 110; n += 1) await user(world.ask, `u${n}`);
      return users(await listed(world)).filter((name) => name.startsWith('u')).length;
    },
    110,
  ],
  [
    'a list with max_results has a page_token for the next page',
    async (world) => {
      await both(world);
      const path = await assignments(world);
      const names: string[] = [];
      for (let token = ''; ; ) {
        const { permission_assignments: page, next_page_token } = await good(
          world.ask('GET', `${path}?max_results=1&page_token=${encodeURIComponent(token)}`),
          200,
        );
        if (page.length > 1) return 'a page of more than one';
        names.push(...users(page));
        if (next_page_token === undefined) break;
        token = next_page_token;
      }
      return [names.includes(ADA), names.includes(BOB), new Set(names).size === names.length];
    },
    [true, true, true],
  ],
  ...(
    [
      [`user_name eq "${ADA}"`, [ADA]],
      [`principal.user_name eq "${ADA.toUpperCase()}"`, [ADA]],
      ['user_name sw "ada" or user_name sw "bob"', [ADA, BOB]],
      ['display_name co "ob"', [BOB]],
      [`user_name ew "@contoso.example" and user_name ne "${ADA}"`, [BOB]],
      ['group_name eq "ada@contoso.example"', []],
    ] as const
  ).map(
    ([filter, names]): Fact => [
      `the filter ${filter} finds ${names.join(' and ') || 'nobody'}`,
      async (world) => {
        await both(world);
        return users(await listed(world, { filter })).filter(
          (name) => name.startsWith('ada') || name.startsWith('bob'),
        );
      },
      names,
    ],
  ),
  [
    'the filter principal_id eq finds one principal',
    async (world) => {
      await both(world);
      const { id } = await user(world.ask, 'cleo');
      return users(await listed(world, { filter: `principal_id eq ${id}` }));
    },
    ['cleo@contoso.example'],
  ],
  ...['colour eq "red"', 'user_name', 'user_name gt "a"', 'principal.user_name pr', 'user_name.x eq "a"'].map(
    (filter): Fact => [
      `the filter ${filter} is refused`,
      async (world) =>
        refusal(await world.ask('GET', `${await assignments(world)}?${new URLSearchParams({ filter })}`)),
      invalid,
    ],
  ),
  [
    'only administrators of the account assign',
    async (world) => {
      const licensed = await person(world.bench, 'licensed');
      return (await licensed('GET', await assignments(world))).status;
    },
    403,
  ],
];

const OWN = '/preview/permissionassignments';

const assignNamed = async ({ ask }: World, ...permission_assignments: readonly object[]): Promise<Resource> =>
  refusalOrBody(await ask('POST', OWN, { permission_assignments }));

const WORKSPACE: readonly Fact[] = [
  [
    'a workspace assigns a principal of the account by its id',
    async (world) => {
      const id = await outsider(world);
      const { status, body } = await world.ask('PUT', `${OWN}/principals/${id}`, { permissions: ['USER'] });
      return [status, body.permissions, body.principal.user_name];
    },
    [200, ['USER'], ADA],
  ],
  [
    'a workspace lists its own assignments',
    async (world) => {
      await both(world);
      const { permission_assignments: list } = await good(world.ask('GET', OWN), 200);
      return users(list).filter((name) => name === ADA || name === BOB);
    },
    [ADA, BOB],
  ],
  [
    'a workspace removes an assignment',
    async (world) => {
      const { id } = await user(world.ask, 'ada');
      return [(await world.ask('DELETE', `${OWN}/principals/${id}`)).status, users(await listed(world)).includes(ADA)];
    },
    [200, false],
  ],
  [
    'a workspace assigns a user, a group and a service principal by their names',
    async (world) => {
      const { ask, account } = world;
      await outsider(world);
      await good(ask('POST', `${account}/scim/v2/Groups`, { displayName: 'big' }), 201);
      const robot = await good(ask('POST', `${account}/scim/v2/ServicePrincipals`, { displayName: 'robot' }), 201);
      const { permission_assignments: list } = await assignNamed(
        world,
        { user_name: ADA, permissions: ['USER'] },
        { group_name: 'big', permissions: ['USER'] },
        { service_principal_name: robot.applicationId, permissions: ['ADMIN'] },
      );
      return list.map(({ permissions, principal }: Resource) => [permissions[0], principal.principal_id > 0]);
    },
    [
      ['USER', true],
      ['USER', true],
      ['ADMIN', true],
    ],
  ],
  [
    'a name that nobody has is an error in its place, and the others are assigned',
    async (world) => {
      await outsider(world);
      const { permission_assignments: list } = await assignNamed(
        world,
        { group_name: 'nobody', permissions: ['USER'] },
        { user_name: ADA, permissions: ['USER'] },
      );
      return [list[0], list[1].permissions];
    },
    [
      { principal: { group_name: 'nobody' }, error: 'RESOURCE_DOES_NOT_EXIST: Principal not found in account.' },
      ['USER'],
    ],
  ],
  [
    'an assignment names one principal',
    async (world) => assignNamed(world, { user_name: ADA, group_name: 'big', permissions: ['USER'] }),
    invalid,
  ],
  [
    'only administrators of the workspace see its assignments',
    async ({ bench }) => (await (await person(bench, 'licensed'))('GET', OWN)).status,
    403,
  ],
  [
    'the last administrator of a workspace stays',
    async (world) => {
      const { id } = await good(world.ask('GET', '/preview/scim/v2/Me'), 200);
      return refusal(await world.ask('DELETE', `${OWN}/principals/${id}`));
    },
    { ...invalid, message: expect.stringMatching(/^The last active administrator/) },
  ],
  [
    'a service principal of the workspace is assigned',
    async (world) => {
      const { applicationId } = await good(world.ask('POST', SERVICE_PRINCIPALS, { displayName: 'robot' }), 201);
      const list = await listed(world, { filter: `service_principal_name eq ${applicationId}` });
      return list.map(({ principal }) => principal.display_name);
    },
    ['robot'],
  ],
];

checkFacts('data platform: the facts of workspace assignments', ACCOUNT);
checkFacts('data platform: the facts of assignments at a workspace', WORKSPACE);
