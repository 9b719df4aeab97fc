import { expect } from 'vitest';
import { good, person } from '../support.ts';
import { answer, checkFacts, type Fact, kinds, patched, type Resource, read, refused, type World } from './facts.ts';
import { GROUPS, group, list, SERVICE_PRINCIPALS, USERS, user } from './support.ts';

const full = {
  userName: 'ada@contoso.example',
  displayName: 'Ada',
  name: { givenName: 'Ada', familyName: 'Byron' },
  emails: [{ value: 'ada@contoso.example', type: 'work', primary: true }],
  active: true,
  entitlements: [{ value: 'workspace-access' }],
  roles: [{ value: 'arn:x' }],
  externalId: 'E',
};
const core = (title: string) => `urn:ietf:params:scim:schemas:core:2.0:${title}`;

const RESOURCES: readonly Fact[] = [
  [
    'a user has all attributes that were sent',
    ({ ask }) => good(ask('POST', USERS, full), 201),
    expect.objectContaining({ ...full, id: expect.stringMatching(/^\d+$/), groups: expect.any(Array) }),
  ],
  [
    'a user has the schemas of the core and of the workspace',
    async ({ ask }) => (await user(ask, 'ada')).schemas,
    [core('User'), 'urn:ietf:params:scim:schemas:extension:workspace:2.0:User'],
  ],
  [
    'a new user is active, is named by its address and has it as its e-mail',
    async ({ ask }) => {
      const { active, displayName, emails } = await user(ask, 'ada');
      return { active, displayName, emails };
    },
    {
      active: true,
      displayName: 'ada@contoso.example',
      emails: [{ value: 'ada@contoso.example', type: 'work', primary: true }],
    },
  ],
  [
    'a group shows its members by value, display and $ref',
    async ({ ask }) => {
      const ada = await user(ask, 'ada', { displayName: 'Ada' });
      const { members } = await group(ask, 'team', ada.id);
      return [members, ada.id].flat();
    },
    expect.arrayContaining([
      { value: expect.any(String), display: 'Ada', $ref: expect.stringMatching(/^Users\/\d+$/) },
    ]),
  ],
  [
    'a group of a workspace is a WorkspaceGroup',
    async ({ ask }) => (await group(ask, 'team')).meta.resourceType,
    'WorkspaceGroup',
  ],
  [
    'a group of the account is a Group',
    async ({ ask, account }) =>
      (await good(ask('POST', `${account}/scim/v2/Groups`, { displayName: 'team' }), 201)).meta.resourceType,
    'Group',
  ],
  [
    'a service principal without an application gets one',
    ({ ask }) => good(ask('POST', SERVICE_PRINCIPALS, { displayName: 'robot' }), 201),
    expect.objectContaining({
      applicationId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      displayName: 'robot',
      active: true,
      schemas: [core('ServicePrincipal')],
    }),
  ],
  ...kinds.flatMap(([title, path, body]): readonly Fact[] => [
    [
      `${title}: POST is 201, GET 200, PUT 200, PATCH 204 and DELETE 204`,
      async ({ ask }) => {
        const made = await ask('POST', path, body);
        const at = `${path}/${made.body.id}`;
        const patch = { Operations: [{ op: 'replace', path: 'displayName', value: 'y' }] };
        const statuses = [made.status];
        for (const [method, sent] of [['GET'], ['PUT', body], ['PATCH', patch], ['DELETE'], ['GET']] as const)
          statuses.push((await ask(method, at, sent)).status);
        return statuses;
      },
      [201, 200, 200, 204, 204, 404],
    ],
    [
      `${title}: answers are application/scim+json`,
      async ({ ask }) => (await ask('GET', path)).headers.get('content-type'),
      expect.stringMatching(/^application\/scim\+json/),
    ],
    [
      `${title}: an error has the body of RFC 7644, and code and message for other clients`,
      async ({ ask }) => (await ask('GET', `${path}/404`)).body,
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        detail: expect.any(String),
        status: '404',
        error_code: 'RESOURCE_DOES_NOT_EXIST',
        message: expect.any(String),
      },
    ],
    ...['2.0', '2.1'].map(
      (version): Fact => [
        `${title}: the account has them at version ${version}`,
        async ({ ask, account }) => {
          const at = `/api/${version}${account}/scim/v2/${title}`;
          const { id } = await good(ask('POST', at, body), 201);
          return [(await good(ask('GET', `${at}/${id}`), 200)).id === id, (await ask('DELETE', `${at}/${id}`)).status];
        },
        [true, 204],
      ],
    ),
    [
      `${title}: the host of a workspace has those of the account at /api/2.0/account`,
      async ({ ask, account }) => {
        const { id } = await good(ask('POST', `/account/scim/v2/${title}`, body), 201);
        return (await read({ ask } as World, `${account}/scim/v2/${title}/${id}`)).id === id;
      },
      true,
    ],
    [
      `${title}: an account that is not the caller's is not found`,
      async ({ ask }) =>
        (await ask('GET', `/accounts/99999999-2222-4333-8444-555555555555/scim/v2/${title}`)).status >= 400,
      true,
    ],
  ]),
  [
    'Me is the caller, with the id of the workspace in a header',
    async ({ ask }) => {
      const { body, headers } = await ask('GET', '/preview/scim/v2/Me');
      return [typeof body.userName, Number(headers.get('x-databricks-org-id')) > 0];
    },
    ['string', true],
  ],
  [
    'Me of the account has the groups of the account',
    async ({ ask }) => {
      const [ours, theirs] = [await ask('GET', '/preview/scim/v2/Me'), await ask('GET', '/account/scim/v2/Me')];
      const names = (theirs.body.groups ?? []).map(({ display }: Resource) => display);
      return [ours.body.id === theirs.body.id, names];
    },
    [true, ['account users']],
  ],
];

const TAKEN: readonly Fact[] = [
  [
    'a user name of the workspace is taken once',
    async ({ ask }) => {
      await user(ask, 'ada');
      return answer(await ask('POST', USERS, { userName: 'ada@contoso.example' }));
    },
    refused(409, 'uniqueness', 'User with username ada@contoso.example already exists.'),
  ],
  [
    'a user name of the account is taken once',
    async ({ ask, account }) => {
      await user(ask, 'ada');
      return answer(await ask('POST', `${account}/scim/v2/Users`, { userName: 'ada@contoso.example' }));
    },
    refused(409, 'uniqueness', 'User with email ada@contoso.example already exists in this account'),
  ],
  [
    'the name of a group is taken once',
    async ({ ask }) => {
      await group(ask, 'team');
      return answer(await ask('POST', GROUPS, { displayName: 'team' }));
    },
    refused(409, 'uniqueness', 'Group with name team already exists.'),
  ],
  [
    'an application is taken once',
    async ({ ask }) => {
      const { applicationId } = await good(ask('POST', SERVICE_PRINCIPALS, { displayName: 'r' }), 201);
      const { detail, ...rest } = answer(await ask('POST', SERVICE_PRINCIPALS, { applicationId })) as Resource;
      return { ...rest, detail: detail.replace(applicationId, '<id>') };
    },
    refused(409, 'uniqueness', 'Service principal with application ID <id> already exists.'),
  ],
  ...['admins', 'users', 'account users'].map(
    (name): Fact => [
      `no group can be called ${name} again, in the workspace or the account`,
      async ({ ask, account }) => {
        const statuses = [];
        for (const path of [GROUPS, `${account}/scim/v2/Groups`])
          statuses.push(answer(await ask('POST', path, { displayName: name })));
        const { id } = await group(ask, 'other');
        statuses.push(answer(await ask('PUT', `${GROUPS}/${id}`, { displayName: name })));
        return statuses;
      },
      Array.from({ length: 3 }, () => refused(409, 'uniqueness', `Group with name ${name} already exists.`)),
    ],
  ),
];

const system = async (world: World, name: string): Promise<string> => {
  const ofAccount = name === 'account users';
  const path = ofAccount ? `${world.account}/scim/v2/Groups` : GROUPS;
  const { Resources } = await list(world.ask, path, { filter: `displayName eq "${name}"` });
  return `${path}/${Resources[0].id}`;
};

const SYSTEM: readonly Fact[] = [
  ...['admins', 'users', 'account users'].flatMap((name): readonly Fact[] => [
    [
      `${name} cannot be deleted`,
      async (world) => answer(await world.ask('DELETE', await system(world, name))),
      refused(403, undefined, `The group ${name} cannot be deleted.`),
    ],
    [
      `${name} cannot be renamed`,
      async (world) =>
        patched(world, await system(world, name), { op: 'replace', path: 'displayName', value: 'others' }),
      refused(400, 'mutability', `The group ${name} cannot be renamed.`),
    ],
  ]),
  ...['users', 'account users'].map(
    (name): Fact => [
      `membership of ${name} is automatic`,
      async (world) => {
        const { id } = await user(world.ask, 'ada');
        const path = await system(world, name);
        const has = (await read(world, path)).members.some(({ value }: Resource) => value === id);
        return [has, await patched(world, path, { op: 'remove', path: `members[value eq "${id}"]` })];
      },
      [true, refused(400, 'mutability')],
    ],
  ),
  [
    'a member of admins administers the workspace',
    async (world) => {
      const bob = await person(world.bench, 'licensed');
      const me = await good(bob('GET', '/preview/scim/v2/Me'), 200);
      const before = (await bob('POST', GROUPS, { displayName: 'theirs' })).status;
      const path = await system(world, 'admins');
      await patched(world, path, { op: 'add', path: 'members', value: [{ value: me.id }] });
      return [before, (await bob('POST', GROUPS, { displayName: 'theirs' })).status];
    },
    [403, 201],
  ],
  ...(
    [
      ['displayName', { op: 'replace', path: 'displayName', value: 'mine' }],
      ['members', { op: 'add', path: 'members', value: [{ value: 'ME' }] }],
    ] as const
  ).map(
    ([name, operation]): Fact => [
      `a workspace cannot change the ${name} of a group of the account`,
      async (world) => {
        const { id } = await good(world.ask('POST', `${world.account}/scim/v2/Groups`, { displayName: 'big' }), 201);
        const me = await read(world, '/preview/scim/v2/Me');
        const workspace = (await world.ask('GET', '/preview/scim/v2/Me')).headers.get('x-databricks-org-id');
        const at = `${world.account}/workspaces/${workspace}/permissionassignments/principals/${id}`;
        await good(world.ask('PUT', at, { permissions: ['USER'] }));
        return patched(world, `${GROUPS}/${id}`, JSON.parse(JSON.stringify(operation).replace('ME', me.id)));
      },
      refused(403, undefined, expect.stringContaining('account')),
    ],
  ),
  [
    'a group cannot contain itself',
    async (world) => {
      const { id } = await group(world.ask, 'team');
      return patched(world, `${GROUPS}/${id}`, { op: 'add', path: 'members', value: [{ value: id }] });
    },
    refused(400, 'invalidValue', expect.stringContaining('cycle')),
  ],
  [
    'groups cannot be in a circle',
    async (world) => {
      const inner = await group(world.ask, 'inner');
      const outer = await group(world.ask, 'outer', inner.id);
      return patched(world, `${GROUPS}/${inner.id}`, { op: 'add', path: 'members', value: [{ value: outer.id }] });
    },
    refused(400, 'invalidValue', expect.stringContaining('cycle')),
  ],
  [
    'groups nest in 10 layers and not in 11',
    async ({ ask }) => {
      let inner = (await group(ask, 'layer 1')).id;
      for (let layer = 2; layer <= 10; layer += 1) inner = (await group(ask, `layer ${layer}`, inner)).id;
      return answer(await ask('POST', GROUPS, { displayName: 'layer 11', members: [{ value: inner }] }));
    },
    refused(400, undefined, expect.stringContaining('10')),
  ],
];

checkFacts('data platform: the facts of SCIM resources and routes', RESOURCES);
checkFacts('data platform: the facts of names that are taken', TAKEN);
checkFacts('data platform: the facts of groups', SYSTEM);
