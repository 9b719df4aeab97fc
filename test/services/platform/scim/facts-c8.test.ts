import { expect } from 'vitest';
import { by, good, person, refusal } from '../support.ts';
import { checkFacts, type Fact, type Resource, type World } from './facts.ts';
import { group, SERVICE_PRINCIPALS, user } from './support.ts';

const invalid = { status: 400, code: 'INVALID_PARAMETER_VALUE', message: expect.any(String) };
const coded = (status: number, code: string) => ({ status, code, message: expect.any(String) });
const OK = { status: 200, code: undefined, message: undefined };

const job = async ({ ask }: World): Promise<string> => {
  const tasks = [{ task_key: 'a', spark_jar_task: { main_class_name: 'A' } }];
  return String((await good(ask('POST', '/api/2.2/jobs/create', { name: 'j', tasks }))).job_id);
};

const entries = (acl: readonly Resource[]) =>
  acl
    .map((each) => [
      each.user_name ?? each.group_name ?? each.service_principal_name,
      each.all_permissions.map((one: Resource) => [one.permission_level, one.inherited]),
    ])
    .sort();

const me = async ({ ask }: World): Promise<string> => (await good(ask('GET', '/preview/scim/v2/Me'))).userName;

const PERMISSIONS: readonly Fact[] = [
  [
    'the permissions of a job have object_id and object_type',
    async (world) => {
      const id = await job(world);
      const { object_id, object_type } = await good(world.ask('GET', `/permissions/jobs/${id}`));
      return [object_id === `/jobs/${id}`, object_type];
    },
    [true, 'job'],
  ],
  [
    'an entry has display_name and all_permissions',
    async (world) => {
      const { access_control_list: acl } = await good(world.ask('GET', `/permissions/jobs/${await job(world)}`));
      const own = acl.find((each: Resource) => each.user_name !== undefined);
      return [typeof own.display_name, own.all_permissions];
    },
    ['string', [{ permission_level: 'IS_OWNER', inherited: false }]],
  ],
  [
    'the group admins has CAN_MANAGE, inherited from /jobs/',
    async (world) => {
      const { access_control_list: acl } = await good(world.ask('GET', `/permissions/jobs/${await job(world)}`));
      return acl.find((each: Resource) => each.group_name === 'admins').all_permissions;
    },
    [{ permission_level: 'CAN_MANAGE', inherited: true, inherited_from_object: ['/jobs/'] }],
  ],
  [
    'PATCH merges entries',
    async (world) => {
      const id = await job(world);
      await user(world.ask, 'ada');
      await group(world.ask, 'team');
      for (const entry of [{ user_name: 'ada@contoso.example' }, { group_name: 'team' }])
        await good(
          world.ask('PATCH', `/permissions/jobs/${id}`, {
            access_control_list: [{ ...entry, permission_level: 'CAN_VIEW' }],
          }),
        );
      const { access_control_list: acl } = await good(world.ask('GET', `/permissions/jobs/${id}`));
      return entries(acl).map(([name]) => name);
    },
    expect.arrayContaining(['ada@contoso.example', 'team', 'admins']),
  ],
  [
    'PUT replaces direct entries',
    async (world) => {
      const id = await job(world);
      await user(world.ask, 'ada');
      const owner = { user_name: await me(world), permission_level: 'IS_OWNER' };
      const at = `/permissions/jobs/${id}`;
      const view = { user_name: 'ada@contoso.example', permission_level: 'CAN_VIEW' };
      await good(world.ask('PUT', at, { access_control_list: [owner, view] }));
      await good(world.ask('PUT', at, { access_control_list: [owner] }));
      const { access_control_list: acl } = await good(world.ask('GET', at));
      return entries(acl).some(([name]) => name === 'ada@contoso.example');
    },
    false,
  ],
  [
    'a job has exactly one owner: none is refused',
    async (world) => {
      const at = `/permissions/jobs/${await job(world)}`;
      const access_control_list = [{ group_name: 'users', permission_level: 'CAN_VIEW' }];
      return refusal(await world.ask('PUT', at, { access_control_list }));
    },
    invalid,
  ],
  [
    'a job has exactly one owner: two are refused',
    async (world) => {
      await user(world.ask, 'ada');
      const at = `/permissions/jobs/${await job(world)}`;
      const names = [await me(world), 'ada@contoso.example'];
      const access_control_list = names.map((user_name) => ({ user_name, permission_level: 'IS_OWNER' }));
      return refusal(await world.ask('PUT', at, { access_control_list }));
    },
    invalid,
  ],
  ...(
    [
      ['jobs', ['CAN_VIEW', 'CAN_MANAGE_RUN', 'IS_OWNER', 'CAN_MANAGE']],
      ['directories', ['CAN_READ', 'CAN_RUN', 'CAN_EDIT', 'CAN_MANAGE']],
      ['authorization', ['CAN_USE']],
    ] as const
  ).map(
    ([type, levels]): Fact => [
      `the levels of ${type} are ${levels.join(', ')}`,
      async (world) => {
        const status = await good(world.ask('GET', '/workspace/get-status?path=/Shared')).catch(() => ({}));
        const id = type === 'jobs' ? await job(world) : type === 'authorization' ? 'tokens' : status.object_id;
        const { permission_levels } = await good(world.ask('GET', `/permissions/${type}/${id}/permissionLevels`));
        return permission_levels.map(({ permission_level }: Resource) => permission_level).sort();
      },
      [...levels].sort(),
    ],
  ),
  [
    'there is no other type of objects',
    async ({ ask }) => (await ask('GET', '/permissions/colours/1')).status,
    expect.toSatisfy((status: number) => status === 400 || status === 404),
  ],
];

const scope = ({ ask }: World, more: object = {}) => ask('POST', '/secrets/scopes/create', { scope: 's', ...more });
const put = ({ ask }: World, more: object) => ask('POST', '/secrets/put', { scope: 's', key: 'k', ...more });

const SECRETS: readonly Fact[] = [
  [
    'a scope is listed with its backend',
    async (world) => {
      await scope(world);
      return (await good(world.ask('GET', '/secrets/scopes/list'))).scopes;
    },
    [{ name: 's', backend_type: 'DATABRICKS' }],
  ],
  [
    'a scope is taken once',
    async (world) => {
      await scope(world);
      return refusal(await scope(world));
    },
    coded(400, 'RESOURCE_ALREADY_EXISTS'),
  ],
  [
    'the only initial_manage_principal is users',
    async (world) => [
      refusal(await scope(world, { initial_manage_principal: 'admins' })),
      refusal(await scope(world, { initial_manage_principal: 'users' })),
    ],
    [invalid, OK],
  ],
  [
    'the creator gets MANAGE',
    async (world) => {
      await scope(world);
      const { items } = await good(world.ask('GET', '/secrets/acls/list?scope=s'));
      return items.map(({ permission }: Resource) => permission);
    },
    ['MANAGE'],
  ],
  [
    'a secret is read in base64',
    async (world) => {
      await scope(world);
      await good(put(world, { string_value: 'hunter2' }));
      return good(world.ask('GET', '/secrets/get?scope=s&key=k'));
    },
    { key: 'k', value: Buffer.from('hunter2').toString('base64') },
  ],
  [
    'a list has keys and times alone',
    async (world) => {
      await scope(world);
      await good(put(world, { string_value: 'hunter2' }));
      return (await good(world.ask('GET', '/secrets/list?scope=s'))).secrets;
    },
    [{ key: 'k', last_updated_timestamp: expect.any(Number) }],
  ],
  ...(
    [
      ['both values', { string_value: 'a', bytes_value: 'YQ==' }],
      ['neither value', {}],
    ] as const
  ).map(
    ([form, body]): Fact => [
      `${form} of a secret are MALFORMED_REQUEST`,
      async (world) => {
        await scope(world);
        return refusal(await put(world, body));
      },
      coded(400, 'MALFORMED_REQUEST'),
    ],
  ),
  ...(
    [
      ['a name of 128 characters', 'n'.repeat(128), OK],
      ['a name of 129 characters', 'n'.repeat(129), invalid],
      ['a name with - _ and .', 'a-b_c.d', OK],
      ['a name with a space', 'a b', invalid],
    ] as const
  ).map(
    ([form, key, seen]): Fact => [
      `${form} is ${seen === OK ? 'accepted' : 'refused'}`,
      async (world) => {
        await scope(world);
        return refusal(await put(world, { key, string_value: 'x' }));
      },
      seen,
    ],
  ),
  [
    'a value has at most 128 KB',
    async (world) => {
      await scope(world);
      const of = async (bytes: number) => (await put(world, { string_value: 'x'.repeat(bytes) })).status;
      return [await of(128 * 1024), await of(128 * 1024 + 1)];
    },
    [200, 400],
  ],
  ...['READ', 'WRITE', 'MANAGE'].map(
    (permission): Fact => [
      `an ACL may be ${permission}`,
      async (world) => {
        await scope(world);
        await good(world.ask('POST', '/secrets/acls/put', { scope: 's', principal: 'users', permission }));
        return good(world.ask('GET', '/secrets/acls/get?scope=s&principal=users'));
      },
      { principal: 'users', permission },
    ],
  ),
  [
    'what is not there is RESOURCE_DOES_NOT_EXIST',
    async (world) => refusal(await world.ask('GET', '/secrets/list?scope=nowhere')),
    coded(404, 'RESOURCE_DOES_NOT_EXIST'),
  ],
  [
    'a caller without READ gets PERMISSION_DENIED',
    async (world) => {
      await scope(world);
      await good(put(world, { string_value: 'x' }));
      const licensed = await person(world.bench, 'licensed');
      return refusal(await licensed('GET', '/secrets/get?scope=s&key=k'));
    },
    coded(403, 'PERMISSION_DENIED'),
  ],
];

const TOKENS: readonly Fact[] = [
  [
    'an own token begins with dapi and has its token_info',
    ({ ask }) => good(ask('POST', '/token/create', { comment: 'c', lifetime_seconds: 60 })),
    {
      token_value: expect.stringMatching(/^dapi/),
      token_info: expect.objectContaining({
        token_id: expect.any(String),
        comment: 'c',
        creation_time: expect.any(Number),
        expiry_time: expect.any(Number),
      }),
    },
  ],
  [
    'without a lifetime a token lives for two years',
    async ({ ask }) => {
      const { token_info } = await good(ask('POST', '/token/create', {}));
      return (token_info.expiry_time - token_info.creation_time) / 86_400_000;
    },
    730,
  ],
  [
    'a token ends with its lifetime',
    async ({ ask, bench, advance }) => {
      const { token_value } = await good(ask('POST', '/token/create', { lifetime_seconds: 60 }));
      const theirs = by(bench, token_value);
      const before = (await theirs('GET', '/token/list')).status;
      await advance('61s');
      return [before, (await theirs('GET', '/token/list')).status];
    },
    [200, 403],
  ],
  [
    'token management lists the tokens of everybody, by creator too',
    async (world) => {
      await good(world.ask('POST', '/token/create', {}));
      const name = encodeURIComponent(await me(world));
      const at = '/token-management/tokens';
      const { token_infos: all } = await good(world.ask('GET', at));
      const { token_infos: own } = await good(world.ask('GET', `${at}?created_by_username=${name}`));
      const none = await good(world.ask('GET', `${at}?created_by_username=nobody`));
      return [all.length, own.length, (none.token_infos ?? []).length, Object.keys(own[0])];
    },
    [
      1,
      1,
      0,
      expect.arrayContaining([
        'token_id',
        'creation_time',
        'expiry_time',
        'created_by_id',
        'created_by_username',
        'owner_id',
        'workspace_id',
      ]),
    ],
  ],
  [
    'an on-behalf-of token of a service principal without a lifetime never ends, which is -1',
    async ({ ask }) => {
      const { applicationId } = await good(ask('POST', SERVICE_PRINCIPALS, { displayName: 'r' }), 201);
      const at = '/token-management/on-behalf-of/tokens';
      const { token_value, token_info } = await good(ask('POST', at, { application_id: applicationId }));
      return [token_value.slice(0, 4), token_info.expiry_time];
    },
    ['dapi', -1],
  ],
  [
    'an on-behalf-of token needs an application_id',
    async ({ ask }) => refusal(await ask('POST', '/token-management/on-behalf-of/tokens', {})),
    { ...invalid, message: 'Missing required field: application_id' },
  ],
  [
    'a token is read and deleted by its id',
    async ({ ask }) => {
      const { token_info } = await good(ask('POST', '/token/create', {}));
      const at = `/token-management/tokens/${token_info.token_id}`;
      const statuses = [];
      for (const method of ['GET', 'DELETE', 'GET']) statuses.push((await ask(method, at)).status);
      return statuses;
    },
    [200, 200, 404],
  ],
];

checkFacts('data platform: the facts of permissions', PERMISSIONS);
checkFacts('data platform: the facts of secrets', SECRETS);
checkFacts('data platform: the facts of tokens', TOKENS);
