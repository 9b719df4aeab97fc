import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { type Ask, good, person } from '../support.ts';
import { GROUPS, group, patch, SERVICE_PRINCIPALS, scimRefusal, USERS, user, withoutRates } from './support.ts';

const ATTRIBUTES = [
  'userName',
  'displayName',
  'name',
  'emails',
  'active',
  'externalId',
  'entitlements',
  'roles',
  'groups',
  'members',
  'schemas',
  'id',
  'meta',
  'applicationId',
];

const WRONG = [7, 'x', [7], [null], [[]], { value: {} }, 'a\u0000b', '\ud800'];

const PATHS = [
  '.',
  '[',
  '[]',
  'emails[]',
  'emails[type]',
  'emails[type eq "work"].',
  'emails[type eq "work"].value.x',
  'emails[type eq "work"][type eq "home"]',
  'name[givenName eq "x"].givenName',
  '__proto__',
  'constructor',
  'name.__proto__',
  'emails[__proto__ eq "x"].value',
  'urn:',
  '\u0000',
  'members',
];

const FILTERS = [
  '\u0000',
  'userName eq "\u0000"',
  'userName co "\ud800"',
  "'",
  "''",
  "userName eq '",
  `userName eq "${'x'.repeat(5000)}"`,
  `userName eq ${"'".repeat(3000)}`,
  'userName co "%_\\\\"',
  'id gt "0"',
  'active pr',
  'name eq "x"',
  'emails.primary eq true',
  'entitlements.value ne null',
];

const QUERIES = [
  'startIndex=999999999999999',
  'count=999999999999999',
  'startIndex=-999999999999999',
  'filter=a&filter=b',
  'attributes=a&attributes=b',
  'sortBy=members',
  'sortOrder=',
  'attributes=,,,',
  'count=',
];

onBothStores('data platform: hostile calls of SCIM', (bench) => {
  let admin: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    admin = await person(bench);
  });

  it('a wrong type in any attribute is refused or ignored', async () => {
    const { id } = await user(admin, 'ada');
    const odd: string[] = [];
    const look = ({ status, text }: { readonly status: number; readonly text: string }, what: unknown): void => {
      if (![201, 204, 400, 409].includes(status)) odd.push(`${JSON.stringify(what)}: ${status} ${text}`);
    };
    for (const [n, name] of ATTRIBUTES.entries())
      for (const [m, value] of WRONG.entries()) {
        look(await admin('POST', USERS, { userName: `u${n}-${m}@contoso.example`, [name]: value }), [name, value]);
        look(await admin('POST', GROUPS, { displayName: `g${n}-${m}`, [name]: value }), [name, value]);
        look(await admin('POST', SERVICE_PRINCIPALS, { [name]: value }), [name, value]);
        for (const operation of [
          { op: 'add', path: name, value },
          { op: 'replace', value: { [name]: value } },
        ])
          look(await patch(admin, `${USERS}/${id}`, operation), operation);
      }
    expect(odd).toEqual([]);
  });

  it('a path, a filter or a query that makes no sense is refused', async () => {
    const { id } = await user(admin, 'ada');
    for (const path of PATHS)
      for (const op of ['add', 'replace', 'remove'])
        expect((await patch(admin, `${USERS}/${id}`, { op, path, value: 'x@y.z' })).status, `${op} ${path}`).toBe(400);
    for (const body of [null, [], 'x', 7, { Operations: {} }, { Operations: [null] }, { Operations: [{ op: {} }] }])
      expect((await admin('PATCH', `${USERS}/${id}`, body)).status, JSON.stringify(body)).toBe(400);
    for (const filter of FILTERS)
      for (const path of [USERS, GROUPS, SERVICE_PRINCIPALS]) {
        const { status } = await admin('GET', `${path}?${new URLSearchParams({ filter })}`);
        expect([200, 400], `${path} ${filter.slice(0, 60)}`).toContain(status);
      }
    for (const query of QUERIES) expect([200, 400], query).toContain((await admin('GET', `${GROUPS}?${query}`)).status);
  });

  it('the filters of a request make a bounded number of comparisons', async () => {
    const emails = Array.from({ length: 100 }, (_, n) => ({ value: `e${n}@contoso.example`, type: `t${n}` }));
    const { id } = await user(admin, 'ada', { emails });
    const filter = Array.from({ length: 100 }, (_, n) => `type eq "x${n}"`).join(' or ');
    const operations = (count: number) =>
      Array.from({ length: count }, () => ({ op: 'remove', path: `emails[${filter}]` }));
    await good(patch(admin, `${USERS}/${id}`, ...operations(10)), 204);
    expect(scimRefusal(await patch(admin, `${USERS}/${id}`, ...operations(11)))).toMatchObject({
      status: 400,
      scimType: 'invalidFilter',
    });
  });

  it('of concurrent creates of one name one succeeds, and concurrent members all arrive', async () => {
    const body = { userName: 'one@contoso.example' };
    const replies = await Promise.all(Array.from({ length: 32 }, () => admin('POST', USERS, body)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 31 }, () => 409)]);
    const people = await Promise.all(Array.from({ length: 16 }, (_, n) => user(admin, `m${n}`)));
    const { id } = await group(admin, 'team');
    await Promise.all(
      people.map((each) =>
        good(patch(admin, `${GROUPS}/${id}`, { op: 'add', path: 'members', value: [{ value: each.id }] }), 204),
      ),
    );
    expect((await good(admin('GET', `${GROUPS}/${id}`))).members).toHaveLength(16);
  });
});
