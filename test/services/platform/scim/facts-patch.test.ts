import { expect } from 'vitest';
import { good } from '../support.ts';
import {
  answer,
  checkFacts,
  type Fact,
  membersAfter,
  patched,
  type Resource,
  read,
  refused,
  userAfter,
  values,
  type World,
} from './facts.ts';
import { GROUPS, group, PATCH_SCHEMA, SERVICE_PRINCIPALS, USERS, user } from './support.ts';

const displayName = ({ displayName: name }: Resource) => name;
const active = ({ active: is }: Resource) => is;
const entitlements = ({ entitlements: list }: Resource) => values(list);
const rename = { op: 'replace', path: 'displayName', value: 'New' };

const BODY: readonly Fact[] = [
  ...['add', 'Add', 'ADD', 'replace', 'Replace', 'REPLACE'].map(
    (op): Fact => [
      `the operation may be spelled ${op}`,
      userAfter([{ op, path: 'displayName', value: 'New' }], displayName),
      'New',
    ],
  ),
  ...['remove', 'Remove', 'REMOVE'].map(
    (op): Fact => [
      `the operation may be spelled ${op}`,
      userAfter([{ op, path: 'externalId' }], ({ externalId }) => externalId ?? 'none', { externalId: 'E' }),
      'none',
    ],
  ),
  [
    'no other operation exists',
    userAfter([{ op: 'move', path: 'displayName', value: 'New' }], displayName),
    refused(400, 'invalidSyntax', expect.stringContaining("'move'")),
  ],
  [
    'a body without Operations is refused',
    async ({ ask }) =>
      answer(await ask('PATCH', `${USERS}/${(await user(ask, 'ada')).id}`, { schemas: [PATCH_SCHEMA] })),
    refused(400, 'invalidSyntax', 'Missing required field: Operations'),
  ],
  [
    'the schemas of a body may be left out',
    async ({ ask }) => answer(await ask('PATCH', `${USERS}/${(await user(ask, 'ada')).id}`, { Operations: [rename] })),
    204,
  ],
  ['an empty list of operations changes nothing', userAfter([], displayName, { displayName: 'Ada' }), 'Ada'],
  [
    'operations apply in order',
    userAfter([rename, { op: 'replace', path: 'displayName', value: 'Newer' }], displayName),
    'Newer',
  ],
  [
    'operations apply all or nothing',
    async (world) => {
      const { id } = await user(world.ask, 'ada', { displayName: 'Ada' });
      const bad = { op: 'replace', path: 'colour', value: 'red' };
      return [await patched(world, `${USERS}/${id}`, rename, bad), (await read(world, `${USERS}/${id}`)).displayName];
    },
    [refused(400, 'invalidPath'), 'Ada'],
  ],
  [
    'the answer is 204 without a body',
    async ({ ask }) => {
      const { id } = await user(ask, 'ada');
      const { status, text } = await ask('PATCH', `${USERS}/${id}`, { Operations: [rename] });
      return [status, text];
    },
    [204, ''],
  ],
  ['a PATCH of nobody is 404', (world) => patched(world, `${USERS}/404`, rename), refused(404, undefined)],
  [
    'a media type of application/scim+json is accepted',
    async ({ ask }) => {
      const { id } = await user(ask, 'ada');
      const headers = { 'content-type': 'application/scim+json' };
      return (await ask('PATCH', `${USERS}/${id}`, { Operations: [rename] }, headers)).status;
    },
    204,
  ],
];

const byId = (id: string) => `members[value eq "${id}"]`;

const MEMBERS: readonly Fact[] = [
  [
    'members are added with a path',
    membersAfter(({ c }) => [{ op: 'add', path: 'members', value: [{ value: c }] }]),
    ['a', 'b', 'c'],
  ],
  [
    'members are added without a path',
    membersAfter(({ c }) => [{ op: 'add', value: { members: [{ value: c }] } }]),
    ['a', 'b', 'c'],
  ],
  ['a member is removed by a filter of the path', membersAfter(({ a }) => [{ op: 'remove', path: byId(a) }]), ['b']],
  [
    'a filter of the path may join members by or',
    membersAfter(({ a, b }) => [{ op: 'remove', path: `members[value eq "${a}" or value eq "${b}"]` }]),
    [],
  ],
  [
    'a filter of the path counts, whatever the value is',
    membersAfter(({ a }) => [{ op: 'remove', path: byId(a), value: [{}] }]),
    ['b'],
  ],
  ['remove without a filter empties the group', membersAfter(() => [{ op: 'remove', path: 'members' }]), []],
  [
    'remove with a list of values removes those',
    membersAfter(({ a }) => [{ op: 'remove', path: 'members', value: [{ value: a }] }]),
    ['b'],
  ],
  [
    'remove with an empty list removes nobody',
    membersAfter(() => [{ op: 'remove', path: 'members', value: [] }]),
    ['a', 'b'],
  ],
  [
    'add of an existing member is a no-op',
    membersAfter(({ a }) => [{ op: 'add', path: 'members', value: [{ value: a }] }]),
    ['a', 'b'],
  ],
  ['remove of an absent member is a no-op', membersAfter(({ c }) => [{ op: 'remove', path: byId(c) }]), ['a', 'b']],
  ['remove of an unknown member is a no-op', membersAfter(() => [{ op: 'remove', path: byId('404') }]), ['a', 'b']],
  [
    'replace leaves only the given members',
    membersAfter(({ c }) => [{ op: 'replace', path: 'members', value: [{ value: c }] }]),
    ['c'],
  ],
  [
    'replace with an empty list empties the group',
    membersAfter(() => [{ op: 'replace', path: 'members', value: [] }]),
    [],
  ],
  [
    'an operation that names no members leaves them alone',
    membersAfter(() => [{ op: 'replace', value: { displayName: 'Other' } }]),
    ['a', 'b'],
  ],
  [
    'an id that nobody has is refused',
    membersAfter(() => [{ op: 'add', path: 'members', value: [{ value: '404' }] }]),
    refused(400, 'invalidValue', expect.stringContaining('404')),
  ],
  [
    'members of service principals and groups are added alike',
    async (world) => {
      const robot = await good(world.ask('POST', SERVICE_PRINCIPALS, { displayName: 'robot' }), 201);
      const inner = await group(world.ask, 'inner');
      const { id } = await group(world.ask, 'outer');
      const value = [{ value: robot.id }, { value: inner.id }];
      await patched(world, `${GROUPS}/${id}`, { op: 'add', path: 'members', value });
      const { members } = await read(world, `${GROUPS}/${id}`);
      return members.map((each: Resource) => [each.display, each.$ref.split('/')[0]]).sort();
    },
    [
      ['inner', 'Groups'],
      ['robot', 'ServicePrincipals'],
    ],
  ],
];

const many = (name: string, value: string): readonly Fact[] => [
  [
    `${name} are added by a path`,
    userAfter([{ op: 'add', path: name, value: [{ value }] }], (made) => values(made[name])),
    [value],
  ],
  [
    `${name} are removed by a filter of the path`,
    userAfter([{ op: 'remove', path: `${name}[value eq "${value}"]` }], (made) => values(made[name]), {
      [name]: [{ value }],
    }),
    [],
  ],
  [
    `remove without a filter empties ${name}`,
    userAfter([{ op: 'remove', path: name }], (made) => values(made[name]), { [name]: [{ value }] }),
    [],
  ],
  [
    `remove with a list of values removes those ${name}`,
    userAfter([{ op: 'remove', path: name, value: [{ value }] }], (made) => values(made[name]), {
      [name]: [{ value }],
    }),
    [],
  ],
  [
    `add of ${name} that are there is a no-op`,
    userAfter([{ op: 'add', path: name, value: [{ value }] }], (made) => values(made[name]), { [name]: [{ value }] }),
    [value],
  ],
];

const VALUES: readonly Fact[] = [
  ...many('entitlements', 'allow-cluster-create'),
  ...many('roles', 'arn:aws:iam::1:instance-profile/x'),
  ...[
    'allow-cluster-create',
    'allow-instance-pool-create',
    'databricks-sql-access',
    'workspace-access',
    'workspace-consume',
  ].map(
    (value): Fact => [
      `there is the entitlement ${value}`,
      userAfter([{ op: 'add', path: 'entitlements', value: [{ value }] }], entitlements),
      [value],
    ],
  ),
  [
    'there is no other entitlement',
    userAfter([{ op: 'add', path: 'entitlements', value: [{ value: 'fly' }] }], entitlements),
    refused(400, 'invalidValue', expect.stringContaining("'fly'")),
  ],
  ...(
    [
      ['groups', GROUPS, { displayName: 'g' }],
      ['service principals', SERVICE_PRINCIPALS, { displayName: 'r' }],
    ] as const
  ).map(
    ([title, path, body]): Fact => [
      `${title} have entitlements as well`,
      async (world) => {
        const { id } = await good(world.ask('POST', path, body), 201);
        await patched(world, `${path}/${id}`, {
          op: 'add',
          path: 'entitlements',
          value: [{ value: 'workspace-access' }],
        });
        return entitlements(await read(world, `${path}/${id}`));
      },
      ['workspace-access'],
    ],
  ),
  [
    'the role account_admin makes an administrator of the account',
    async (world) => {
      const { id } = await user(world.ask, 'ada');
      const path = `${world.account}/scim/v2/Users/${id}`;
      await patched(world, path, { op: 'add', path: 'roles', value: [{ value: 'account_admin' }] });
      return values((await read(world, path)).roles);
    },
    ['account_admin'],
  ],
  [
    'a workspace makes nobody an administrator of the account',
    async (world: World) => {
      const { id } = await user(world.ask, 'ada');
      await patched(world, `${USERS}/${id}`, { op: 'add', path: 'roles', value: [{ value: 'account_admin' }] });
      return values((await read(world, `${world.account}/scim/v2/Users/${id}`)).roles);
    },
    [],
  ],
];

const SINGLE: readonly Fact[] = [
  ...(
    [
      ['a list of one value', [{ value: 'false' }]],
      ['a plain false', false],
      ['the text False', 'False'],
      ['the text false', 'false'],
      ['an object with a value', { value: false }],
    ] as const
  ).map(
    ([form, value]): Fact => [
      `active is replaced by ${form}`,
      userAfter([{ op: 'replace', path: 'active', value }], active),
      false,
    ],
  ),
  ['active is replaced without a path', userAfter([{ op: 'replace', value: { active: false } }], active), false],
  [
    'active is true or false',
    userAfter([{ op: 'replace', path: 'active', value: 'perhaps' }], active),
    refused(400, 'invalidValue', expect.stringContaining("'active'")),
  ],
  [
    'name.givenName is replaced by a list of one value',
    userAfter([{ op: 'replace', path: 'name.givenName', value: [{ value: 'x' }] }], ({ name }) => name),
    { givenName: 'x' },
  ],
  [
    'name.familyName is replaced beside the given name',
    userAfter([{ op: 'replace', path: 'name.familyName', value: 'y' }], ({ name }) => name, {
      name: { givenName: 'x' },
    }),
    { givenName: 'x', familyName: 'y' },
  ],
  ['paths have any case', userAfter([{ op: 'replace', path: 'DISPLAYNAME', value: 'New' }], displayName), 'New'],
  [
    'paths may be qualified by the schema',
    userAfter(
      [{ op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:name.givenName', value: 'x' }],
      ({ name }) => name,
    ),
    { givenName: 'x' },
  ],
  [
    'an unknown attribute is refused in a path',
    userAfter([{ op: 'replace', path: 'colour', value: 'red' }], displayName),
    refused(400, 'invalidPath', expect.stringContaining('colour')),
  ],
  [
    'an unknown attribute is ignored in a value',
    userAfter([{ op: 'replace', value: { colour: 'red', displayName: 'New' } }], displayName),
    'New',
  ],
  [
    'the id cannot be changed',
    userAfter([{ op: 'replace', path: 'id', value: '7' }], displayName),
    refused(400, 'mutability', expect.stringContaining("'id'")),
  ],
  [
    'remove needs a path',
    userAfter([{ op: 'remove' }], displayName),
    refused(400, 'noTarget', expect.stringContaining('path')),
  ],
  [
    'a path that cannot be parsed is refused',
    userAfter([{ op: 'replace', path: 'emails[type eq "work"', value: 'x' }], displayName),
    refused(400, 'invalidPath'),
  ],
  ...[7, true, { a: 1 }, ['a', 'b']].map(
    (value): Fact => [
      `a displayName of ${JSON.stringify(value)} is refused`,
      userAfter([{ op: 'replace', path: 'displayName', value }], displayName),
      refused(400, 'invalidValue', expect.stringContaining("'displayName'")),
    ],
  ),
];

checkFacts('data platform: the facts of PATCH, bodies', BODY);
checkFacts('data platform: the facts of PATCH, members', MEMBERS);
checkFacts('data platform: the facts of PATCH, entitlements and roles', VALUES);
checkFacts('data platform: the facts of PATCH, single values', SINGLE);
