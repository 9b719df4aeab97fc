import { expect } from 'vitest';
import { good } from '../support.ts';
import {
  answer,
  checkFacts,
  type Fact,
  found,
  membersAfter,
  patched,
  type Resource,
  read,
  refused,
  userAfter,
  values,
  type World,
} from './facts.ts';
import { GROUPS, group, list, SERVICE_PRINCIPALS, USERS, user } from './support.ts';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const ADA = 'ada@contoso.example';
const work = 'emails[type eq "work"].value';
const addresses = ({ emails }: Resource) => values(emails);
const name = ({ name: whole }: Resource) => whole;
const active = ({ active: is }: Resource) => is;

/** Requests of Microsoft Entra's provisioning service. */
const ENTRA: readonly Fact[] = [
  [
    'the test of a connection searches for somebody who does not exist',
    ({ ask }) => list(ask, USERS, { filter: 'userName eq "non-existent-user-5f1a"' }),
    expect.objectContaining({ totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] }),
  ],
  [
    'a user is created with the schema and attributes of an enterprise',
    async ({ ask, account }) => {
      const body = {
        schemas: [USER, ENTERPRISE],
        externalId: 'obj-1',
        userName: ADA,
        active: true,
        displayName: 'Ada',
        emails: [{ primary: true, type: 'work', value: ADA }],
        meta: { resourceType: 'User' },
        name: { formatted: 'Ada Byron', familyName: 'Byron', givenName: 'Ada' },
        [ENTERPRISE]: { department: 'Mathematics' },
        roles: [],
      };
      const { externalId, name: kept } = await good(ask('POST', `${account}/scim/v2/Users`, body), 201);
      return { externalId, kept };
    },
    { externalId: 'obj-1', kept: { familyName: 'Byron', givenName: 'Ada' } },
  ],
  [
    'a user is found by userName before it is created, and a second create is 409',
    async (world) => {
      await user(world.ask, 'ada');
      return [
        await found(world, USERS, `userName eq "${ADA}"`),
        answer(await world.ask('POST', USERS, { userName: ADA })),
      ];
    },
    [[ADA], refused(409, 'uniqueness')],
  ],
  [
    'a user is found by externalId',
    async (world) => {
      await user(world.ask, 'ada', { externalId: 'obj-1' });
      return found(world, USERS, 'externalId eq "obj-1"');
    },
    [ADA],
  ],
  ...(
    [
      ['False', false],
      ['True', true],
      [false, false],
    ] as const
  ).map(
    ([value, seen]): Fact => [
      `Replace sets active to ${JSON.stringify(value)}`,
      userAfter([{ op: 'Replace', path: 'active', value }], active),
      seen,
    ],
  ),
  [
    'Replace sets active in the older form with $ref',
    userAfter([{ op: 'Replace', path: 'active', value: [{ $ref: null, value: 'False' }] }], active),
    false,
  ],
  ['Add sets active without a path', userAfter([{ op: 'Add', value: { active: 'False' } }], active), false],
  ['a POST with active as a text', async ({ ask }) => (await user(ask, 'ada', { active: 'False' })).active, false],
  [
    'Replace changes the address of a type',
    userAfter([{ op: 'Replace', path: work, value: 'new@contoso.example' }], addresses),
    ['new@contoso.example'],
  ],
  [
    'Add changes the address of a type that is there',
    userAfter([{ op: 'Add', path: work, value: 'new@contoso.example' }], addresses),
    ['new@contoso.example'],
  ],
  [
    'Add makes the address of a type that is not there',
    userAfter([{ op: 'Add', path: 'emails[type eq "other"].value', value: 'o@contoso.example' }], addresses),
    [ADA, 'o@contoso.example'],
  ],
  [
    'Replace changes the primary address',
    userAfter([{ op: 'Replace', path: 'emails[primary eq true].value', value: 'p@contoso.example' }], addresses),
    ['p@contoso.example'],
  ],
  [
    'Replace of a type that is not there is 400 noTarget',
    userAfter([{ op: 'Replace', path: 'emails[type eq "fax"].value', value: 'f@contoso.example' }], addresses),
    refused(400, 'noTarget'),
  ],
  [
    'several attributes change in one request',
    userAfter(
      [
        { op: 'Replace', path: 'displayName', value: 'Countess' },
        { op: 'Add', path: 'name.givenName', value: 'Ada' },
        { op: 'Replace', path: 'name.familyName', value: 'Lovelace' },
        { op: 'Add', path: 'externalId', value: 'obj-9' },
      ],
      ({ displayName, externalId, name: whole }) => ({ displayName, externalId, whole }),
    ),
    { displayName: 'Countess', externalId: 'obj-9', whole: { givenName: 'Ada', familyName: 'Lovelace' } },
  ],
  [
    'paths as members of a value without a path',
    userAfter(
      [{ op: 'replace', value: { 'name.givenName': 'Ada', [work]: 'n@contoso.example', displayName: 'A' } }],
      (made) => [name(made), addresses(made), made.displayName],
    ),
    [{ givenName: 'Ada' }, ['n@contoso.example'], 'A'],
  ],
  [
    'attributes of an enterprise are ignored in a value without a path',
    userAfter(
      [{ op: 'Add', value: { [`${ENTERPRISE}:department`]: 'x', [ENTERPRISE]: { manager: 'y' }, displayName: 'A' } }],
      ({ displayName }) => displayName,
    ),
    'A',
  ],
  [
    'an attribute of an enterprise is not one of the core',
    userAfter([{ op: 'Add', value: { [`${ENTERPRISE}:displayName`]: 'theirs' } }], ({ displayName }) => displayName, {
      displayName: 'ours',
    }),
    'ours',
  ],
  [
    'the account renames a user',
    async (world) => {
      const { id } = await user(world.ask, 'ada');
      const at = `${world.account}/scim/v2/Users/${id}`;
      await patched(world, at, { op: 'Replace', path: 'userName', value: 'countess@contoso.example' });
      return (await read(world, at)).userName;
    },
    'countess@contoso.example',
  ],
  [
    'a group is found without its members',
    async ({ ask }) => {
      const ada = await user(ask, 'ada');
      await group(ask, 'team', ada.id);
      const query = { excludedAttributes: 'members', filter: 'displayName eq "team"' };
      return (await list(ask, GROUPS, query)).Resources.map((each: Resource) => [each.displayName, each.members]);
    },
    [['team', undefined]],
  ],
  ...[true, false].map(
    (isMember): Fact => [
      `a group is searched for by its id and ${isMember ? 'a member' : 'somebody else'}`,
      async ({ ask }) => {
        const [ada, bob] = [await user(ask, 'ada'), await user(ask, 'bob')];
        const { id } = await group(ask, 'team', ada.id);
        const filter = `id eq "${id}" and members eq "${isMember ? ada.id : bob.id}"`;
        return (await list(ask, GROUPS, { attributes: 'id', filter })).totalResults;
      },
      isMember ? 1 : 0,
    ],
  ),
  [
    'Add of members has a $ref of null',
    membersAfter(({ c }) => [{ op: 'Add', path: 'members', value: [{ $ref: null, value: c }] }]),
    ['a', 'b', 'c'],
  ],
  [
    'Remove of members has a list of values',
    membersAfter(({ a }) => [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: a }] }]),
    ['b'],
  ],
  [
    'the provisioner pages by startIndex and count',
    async ({ ask }) => {
      for (const each of ['a', 'b', 'c', 'd', 'e']) await user(ask, each);
      const names: string[] = [];
      for (let startIndex = 1; ; startIndex += 2) {
        const query = { filter: 'userName ew "@contoso.example"', startIndex: String(startIndex), count: '2' };
        const { Resources } = await list(ask, USERS, query);
        if (Resources.length === 0) return names.sort();
        names.push(...Resources.map(({ userName }: Resource) => userName[0]));
      }
    },
    ['a', 'b', 'c', 'd', 'e'],
  ],
];

/** Additional requests of Okta. */
const OKTA: readonly Fact[] = [
  [
    'a group is renamed by a value with its id',
    async (world) => {
      const { id } = await group(world.ask, 'team');
      await patched(world, `${GROUPS}/${id}`, { op: 'replace', value: { id, displayName: 'renamed' } });
      return (await read(world, `${GROUPS}/${id}`)).displayName;
    },
    'renamed',
  ],
  [
    'members have a display',
    membersAfter(({ c }) => [{ op: 'replace', path: 'members', value: [{ value: c, display: 'c' }] }]),
    ['c'],
  ],
  [
    'a PUT of a user with groups and an id of its own keeps its memberships',
    async (world) => {
      const made = await user(world.ask, 'ada');
      await group(world.ask, 'team', made.id);
      const whole = await read(world, `${USERS}/${made.id}`);
      await good(world.ask('PUT', `${USERS}/${made.id}`, { ...whole, displayName: 'New', groups: [] }), 200);
      const after = await read(world, `${USERS}/${made.id}`);
      return [after.displayName, after.groups.map(({ display }: Resource) => display).sort()];
    },
    ['New', expect.arrayContaining(['team', 'users'])],
  ],
];

const nothing = [[{}], [{ value: '' }]] as const;

/** Requests of Terraform's provider. */
const TERRAFORM: readonly Fact[] = [
  ...nothing.flatMap((none): readonly Fact[] => [
    ...(
      [
        ['user', USERS, { userName: ADA }],
        ['group', GROUPS, { displayName: 'g' }],
        ['service principal', SERVICE_PRINCIPALS, { displayName: 'r' }],
      ] as const
    ).map(
      ([title, path, body]): Fact => [
        `a ${title} is created with entitlements of ${JSON.stringify(none)}, which are none`,
        async ({ ask }) => {
          const reply = await ask('POST', path, { ...body, entitlements: none });
          return [reply.status, reply.body.entitlements];
        },
        [201, undefined],
      ],
    ),
    [
      `entitlements are replaced by ${JSON.stringify(none)}`,
      userAfter([{ op: 'replace', path: 'entitlements', value: none }], ({ entitlements }) => values(entitlements), {
        entitlements: [{ value: 'workspace-access' }],
      }),
      [],
    ],
    [
      `a removal of entitlements of ${JSON.stringify(none)} removes none`,
      userAfter([{ op: 'remove', path: 'entitlements', value: none }], ({ entitlements }) => values(entitlements), {
        entitlements: [{ value: 'workspace-access' }],
      }),
      ['workspace-access'],
    ],
  ]),
  ...(['Users', 'ServicePrincipals'] as const).map(
    (kind): Fact => [
      `the deletion of ${kind} may be a deactivation`,
      async (world) => {
        const path = `${world.account}/scim/v2/${kind}`;
        const body = kind === 'Users' ? { userName: ADA } : { displayName: 'r' };
        const { id } = await good(world.ask('POST', path, { ...body, entitlements: [{}] }), 201);
        await patched(world, `${path}/${id}`, { op: 'replace', path: 'active', value: [{ value: 'false' }] });
        return (await read(world, `${path}/${id}`)).active;
      },
      false,
    ],
  ),
  [
    'a user is read by attributes and has no others',
    async (world) => {
      const { id } = await user(world.ask, 'ada');
      return Object.keys(
        await read(world, `${USERS}/${id}?attributes=userName,displayName,active,externalId,entitlements`),
      ).sort();
    },
    ['active', 'displayName', 'id', 'schemas', 'userName'],
  ],
  [
    'a group is updated by PUT with the members, groups and roles that were read',
    async (world) => {
      const ada = await user(world.ask, 'ada');
      const { id } = await group(world.ask, 'team', ada.id);
      const { members, groups, roles } = await read(world, `${GROUPS}/${id}`);
      const body = { displayName: 'renamed', entitlements: [{}], members, groups, roles, externalId: 'x' };
      const after = await good(world.ask('PUT', `${GROUPS}/${id}`, body), 200);
      return [after.displayName, values(after.members).length, after.externalId];
    },
    ['renamed', 1, 'x'],
  ],
  [
    'a member is removed by a filter with a value of nothing',
    membersAfter(({ a }) => [{ op: 'remove', path: `members[value eq "${a}"]`, value: [{}] }]),
    ['b'],
  ],
  [
    'an existing user is adopted by its name in single quotes',
    async (world) => {
      await user(world.ask, 'ada');
      const { body } = await world.ask('POST', USERS, { userName: ADA, entitlements: [{}] });
      return [body.message, await found(world, USERS, `userName eq '${ADA}'`)];
    },
    [`User with username ${ADA} already exists.`, [ADA]],
  ],
  [
    'an existing group of the account is adopted by its name',
    async (world: World) => {
      const path = `${world.account}/scim/v2/Groups`;
      await good(world.ask('POST', path, { displayName: 'data eng' }), 201);
      const { body } = await world.ask('POST', path, { displayName: 'data eng' });
      return [body.message, await found(world, path, "displayName eq 'data eng'")];
    },
    ['Group with name data eng already exists.', ['data eng']],
  ],
];

checkFacts('data platform: what Entra provisions', ENTRA);
checkFacts('data platform: what Okta provisions', OKTA);
checkFacts('data platform: what Terraform provisions', TERRAFORM);
