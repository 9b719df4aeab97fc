import { expect } from 'vitest';
import { good } from '../support.ts';
import { answer, checkFacts, type Fact, found, kinds, type Resource, read, refused, type World } from './facts.ts';
import { GROUPS, group, list, SERVICE_PRINCIPALS, USERS, user } from './support.ts';

const ROBOT = '11111111-2222-4333-8444-555555555555';

async function people({ ask }: World): Promise<void> {
  await user(ask, 'ada', { displayName: 'Engineer Ada', externalId: 'E-1' });
  await user(ask, 'bob', { displayName: 'Builder Bob', externalId: 'E-2', active: false });
  await user(ask, 'cleo', { displayName: "Cleo O'Hara" });
  await group(ask, 'eng team');
  await good(ask('POST', SERVICE_PRINCIPALS, { displayName: 'robot', applicationId: ROBOT }), 201);
}

const finds = (path: string, filter: string, names: readonly string[]): Fact => [
  `the filter ${filter} finds ${names.join(' and ') || 'nobody'}`,
  async (world) => {
    await people(world);
    return found(world, path, filter);
  },
  names,
];

const [ADA, BOB, CLEO] = ['ada@contoso.example', 'bob@contoso.example', 'cleo@contoso.example'] as const;
const OURS = 'userName ew "@contoso.example"';

const FILTERS: readonly Fact[] = [
  finds(USERS, `userName eq "${ADA}"`, [ADA]),
  finds(USERS, `userName eq "${ADA.toUpperCase()}"`, [ADA]),
  finds(USERS, `USERNAME EQ "${ADA}"`, [ADA]),
  finds(USERS, `userName eq ${ADA}`, [ADA]),
  finds(USERS, `userName eq '${ADA}'`, [ADA]),
  finds(USERS, "displayName eq 'Engineer Ada'", [ADA]),
  finds(USERS, `displayName eq "Cleo O'Hara"`, [CLEO]),
  finds(USERS, "displayName eq 'Cleo O\\'Hara'", [CLEO]),
  finds(USERS, "displayName co O'Hara", [CLEO]),
  finds(USERS, 'displayName sw eng', [ADA]),
  finds(GROUPS, 'displayName sw eng', ['eng team']),
  finds(GROUPS, "displayName eq 'eng team'", ['eng team']),
  finds(USERS, 'emails.value co "ada@"', [ADA]),
  finds(USERS, `emails eq "${BOB}"`, [BOB]),
  finds(SERVICE_PRINCIPALS, `applicationId eq "${ROBOT}"`, ['robot']),
  finds(SERVICE_PRINCIPALS, `applicationId eq '${ROBOT}'`, ['robot']),
  finds(SERVICE_PRINCIPALS, `applicationId eq ${ROBOT.toUpperCase()}`, ['robot']),
  finds(USERS, 'externalId eq "E-2"', [BOB]),
  finds(USERS, `${OURS} and userName ne "${ADA}"`, [BOB, CLEO]),
  finds(USERS, `userName sw "ada" or userName sw "bob" and active eq true`, [ADA]),
  finds(USERS, `${OURS} and displayName co "b" or externalId eq "E-1"`, [ADA, BOB]),
  finds(USERS, 'active eq "False"', [BOB]),
  finds(USERS, 'userName eq "nobody@contoso.example"', []),
  finds(USERS, `userName eq ''`, []),
  finds(USERS, `urn:ietf:params:scim:schemas:core:2.0:User:userName eq "${ADA}"`, [ADA]),
  ...(
    [
      ['userName matches "a"', "'matches' is not an operator"],
      ['userName eq', 'lacks the value'],
      ['eq "a"', expect.anything()],
      ['7 eq "red"', "'7'"],
      ['colour eq "red"', "'colour'"],
      ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:userName eq "a"', 'enterprise'],
      ['userName eq "a" xor userName eq "b"', 'xor'],
    ] as const
  ).map(
    ([filter, part]): Fact => [
      `the filter ${filter} is 400 invalidFilter`,
      (world) => found(world, USERS, filter),
      refused(400, 'invalidFilter', typeof part === 'string' ? expect.stringContaining(part) : part),
    ],
  ),
  ...['2.0', '2.1'].map(
    (version): Fact => [
      `200 nodes of a filter are evaluated at the account of version ${version}, and 201 are INVALID_FILTER`,
      async ({ ask, account }) => {
        const filter = (nodes: number) => Array.from({ length: nodes }, (_, n) => `id eq ${n}`).join(' or ');
        const asked = async (nodes: number) => {
          const query = new URLSearchParams({ filter: filter(nodes) });
          const { status, body } = await ask('GET', `/api/${version}${account}/scim/v2/Users?${query}`);
          return [status, body.error_code, body.scimType];
        };
        return [await asked(200), await asked(201)];
      },
      [
        [200, undefined, undefined],
        [400, 'INVALID_FILTER', 'invalidFilter'],
      ],
    ],
  ),
];

const page = ({ totalResults, startIndex, itemsPerPage, Resources }: Resource) => [
  totalResults,
  startIndex,
  itemsPerPage,
  Resources.length,
];

async function hundredMore({ ask }: World): Promise<void> {
  for (let n = 0; n < 101; n += 1) await group(ask, `g${n}`);
}

const THREE = { filter: OURS };

const LISTS: readonly Fact[] = [
  ...(['workspace', 'account'] as const).map(
    (place): Fact => [
      `a list of the ${place} has 100 without a count`,
      async (world) => {
        if (place === 'workspace') await hundredMore(world);
        else
          for (let n = 0; n < 101; n += 1)
            await good(world.ask('POST', `${world.account}/scim/v2/Groups`, { displayName: `g${n}` }), 201);
        const path = place === 'workspace' ? GROUPS : `${world.account}/scim/v2/Groups`;
        const { itemsPerPage, totalResults } = await list(world.ask, path);
        return [itemsPerPage, totalResults > 100];
      },
      [100, true],
    ],
  ),
  [
    'a count of 10000 is the most that the service announces',
    async (world) => (await read(world, '/preview/scim/v2/ServiceProviderConfig')).filter,
    { supported: true, maxResults: 10_000 },
  ],
  [
    'a larger count is the most',
    async ({ ask }) => (await ask('GET', `${USERS}?count=100000&attributes=id`)).status,
    200,
  ],
  ...(
    [
      [{ startIndex: '1', count: '2' }, [3, 1, 2, 2]],
      [{ startIndex: '3', count: '2' }, [3, 3, 1, 1]],
      [{ startIndex: '4', count: '2' }, [3, 4, 0, 0]],
      [{ count: '0' }, [3, 1, 0, 0]],
      [{ startIndex: '0' }, [3, 1, 3, 3]],
      [{ count: '-1' }, [3, 1, 0, 0]],
    ] as const
  ).map(
    ([query, seen]): Fact => [
      `of three, ${new URLSearchParams(query)} is totalResults, startIndex, itemsPerPage and as many resources`,
      async (world) => {
        await people(world);
        return page(await list(world.ask, USERS, { ...THREE, ...query }));
      },
      seen,
    ],
  ),
  ...(['ascending', 'descending'] as const).map(
    (sortOrder): Fact => [
      `sortOrder may be ${sortOrder}`,
      async (world) => {
        await people(world);
        const { Resources } = await list(world.ask, USERS, { ...THREE, sortBy: 'userName', sortOrder });
        return Resources.map(({ userName }: Resource) => userName);
      },
      sortOrder === 'ascending' ? [ADA, BOB, CLEO] : [CLEO, BOB, ADA],
    ],
  ),
  ...(
    [
      ['name.givenName', 'ascending', ['b', 'a', 'c']],
      ['name.givenName', 'descending', ['c', 'a', 'b']],
      ['name.familyName', 'ascending', ['a', 'b', 'c']],
      ['emails', 'ascending', ['c', 'b', 'a']],
      ['emails.value', 'descending', ['a', 'b', 'c']],
    ] as const
  ).map(
    ([sortBy, sortOrder, names]): Fact => [
      `sortBy may be ${sortBy}, ${sortOrder}`,
      async ({ ask }) => {
        await user(ask, 'a', { name: { givenName: 'Moe', familyName: 'A' }, emails: [{ value: 'z@x.y' }] });
        await user(ask, 'b', {
          name: { givenName: 'kim', familyName: 'b' },
          emails: [{ value: 'k@x.y' }],
          active: false,
        });
        await user(ask, 'c', { emails: [{ value: 'q@x.y' }, { value: 'd@x.y', primary: true }] });
        const { Resources, totalResults } = await list(ask, USERS, { ...THREE, sortBy, sortOrder, count: '2' });
        const next = await list(ask, USERS, { ...THREE, sortBy, sortOrder, count: '2', startIndex: '3' });
        return [totalResults, [...Resources, ...next.Resources].map(({ userName }: Resource) => userName[0])];
      },
      [3, names],
    ],
  ),
  [
    'sortBy may be active',
    async (world) => {
      await people(world);
      const { Resources } = await list(world.ask, USERS, { ...THREE, sortBy: 'active' });
      return Resources.map(({ active }: Resource) => active);
    },
    [false, true, true],
  ],
  [
    'there is no order by members',
    async ({ ask }) => answer(await ask('GET', `${GROUPS}?sortBy=members`)),
    refused(400, 'invalidPath', expect.stringContaining("'members'")),
  ],
  [
    'there is no other sortOrder',
    async ({ ask }) => answer(await ask('GET', `${USERS}?sortOrder=up`)),
    refused(400, 'invalidValue', expect.stringContaining("'up'")),
  ],
  [
    'attributes is a comma list of what is answered beside id and schemas',
    async (world) => {
      await people(world);
      const { Resources } = await list(world.ask, USERS, {
        filter: `userName eq ${ADA}`,
        attributes: 'userName,externalId',
      });
      return Object.keys(Resources[0]).sort();
    },
    ['externalId', 'id', 'schemas', 'userName'],
  ],
  [
    'attributes that a resource does not have are ignored',
    async (world) => {
      const { id } = await user(world.ask, 'ada');
      const names = 'userName,colour,urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department';
      return Object.keys(await read(world, `${USERS}/${id}?attributes=${names}`)).sort();
    },
    ['id', 'schemas', 'userName'],
  ],
  [
    'excludedAttributes is a comma list of what is left out',
    async (world) => {
      const ada = await user(world.ask, 'ada');
      await group(world.ask, 'team', ada.id);
      const { Resources } = await list(world.ask, GROUPS, {
        filter: 'displayName eq team',
        excludedAttributes: 'members,groups,meta',
      });
      return Object.keys(Resources[0]).sort();
    },
    ['displayName', 'id', 'schemas'],
  ],
  ...kinds.map(
    ([title, path]): Fact => [
      `a list of ${title} says its schema`,
      async ({ ask }) => (await list(ask, path)).schemas,
      ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    ],
  ),
];

checkFacts('data platform: the facts of SCIM filters', FILTERS);
checkFacts('data platform: the facts of SCIM lists', LISTS);
