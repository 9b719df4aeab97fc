import { beforeAll, beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { type Ask, good, person } from '../support.ts';
import { GROUPS, group, list, scimRefusal, USERS, user, withoutRates } from './support.ts';

onBothStores('data platform: lists of SCIM', (bench) => {
  let admin: Ask;
  const ids: Record<string, string> = {};

  beforeAll(() => {
    for (const name of Object.keys(ids)) delete ids[name];
  });

  beforeEach(async () => {
    admin = await person(bench);
    if (ids.ada) return;
    await withoutRates(bench);
    const ada = await user(admin, 'ada', {
      displayName: 'Ada Byron',
      externalId: 'X-1',
      name: { givenName: 'Ada', familyName: 'Byron' },
      emails: [
        { value: 'ada@contoso.example', type: 'work', primary: true },
        { value: 'countess@home.example', type: 'home' },
      ],
      entitlements: [{ value: 'allow-cluster-create' }],
    });
    const bob = await user(admin, 'bob', { displayName: 'Bob (B)', active: false });
    const cleo = await user(admin, 'cleo', { displayName: 'Cleo "C"' });
    const inner = await group(admin, 'inner', ada.id);
    const outer = await group(admin, 'outer', inner.id, bob.id);
    Object.assign(ids, { ada: ada.id, bob: bob.id, cleo: cleo.id, inner: inner.id, outer: outer.id });
  });

  const names = async (filter: string, path = USERS): Promise<string[]> => {
    const { Resources, totalResults } = await list(admin, path, { filter, sortBy: 'displayName' });
    expect(totalResults).toBe(Resources.length);
    const byId = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    return (Resources as { id: string }[]).flatMap(({ id }) => byId.get(id) ?? []);
  };

  it('filters compare attributes that the store has in columns', async () => {
    const cases: [string, string[]][] = [
      ['userName eq "ADA@contoso.example"', ['ada']],
      ['USERNAME Eq ada@contoso.example', ['ada']],
      ['userName sw "ada" or userName sw "bob"', ['ada', 'bob']],
      ['displayName co "b"  and not (displayName ew ")")', ['ada']],
      ['displayName eq "Cleo \\"C\\""', ['cleo']],
      ['displayName eq "Bob (B)"', ['bob']],
      ['externalId eq "X-1"', ['ada']],
      ['externalId eq "x-1"', []],
      ['externalId pr', ['ada']],
      ['active eq false', ['bob']],
      ['active ne true', ['bob']],
      [`id eq "${ids.cleo}"`, ['cleo']],
      ['emails.value eq "Countess@home.example"', ['ada']],
      ['emails eq "ada@contoso.example" and active eq true', ['ada']],
      [`groups.value eq "${ids.inner}"`, ['ada']],
      [`groups.value eq "${ids.outer}"`, ['ada', 'bob']],
      [`groups.value eq "${ids.outer}" and active eq true`, ['ada']],
      ['groups.value eq "1"', []],
      [
        'userName gt "ada@contoso.example" and userName le "cleo@contoso.example" and userName co contoso.example',
        ['bob', 'cleo'],
      ],
    ];
    for (const [filter, expected] of cases) expect(await names(filter), filter).toEqual(expected);
  });

  it('filters compare attributes of other documents, or in lists', async () => {
    const cases: [string, string[]][] = [
      ['name.familyName eq "byron"', ['ada']],
      ['emails.value co "HOME.example"', ['ada']],
      ['emails[type eq "home" and value sw "countess"]', ['ada']],
      ['emails[type eq "work" and value sw "countess"]', []],
      ['entitlements eq "allow-cluster-create"', ['ada']],
      ['entitlements pr and userName co "contoso"', ['ada']],
      ['groups.display co "nner"', ['ada']],
      ['groups[display eq "outer" and type eq "indirect"]', ['ada']],
      ['(name pr or groups.display eq "outer") and userName sw "bob"', ['bob']],
      ['not (groups.display eq "users") or name.givenName eq "ada"', ['ada']],
    ];
    for (const [filter, expected] of cases) expect(await names(filter), filter).toEqual(expected);
    expect(await names(`members.value eq "${ids.ada}"`, GROUPS)).toEqual(['inner']);
    expect(await names(`members eq "${ids.inner}"`, GROUPS)).toEqual(['outer']);
    expect(await names('members.display eq "Ada Byron"', GROUPS)).toEqual(['inner']);
  });

  it('an invalid filter is refused with the reason', async () => {
    const deep = `${'('.repeat(300)}id eq 1${')'.repeat(300)}`;
    const cases: [string, string, string][] = [
      ['userName', 'invalidFilter', 'operator'],
      ['userName like "a"', 'invalidFilter', "'like' is not an operator"],
      ['userName eq', 'invalidFilter', 'lacks the value'],
      ['userName eq "a', 'invalidFilter', 'cannot be parsed from position'],
      ['userName eq "a" and', 'invalidFilter', 'ends where an attribute should be'],
      ['(userName eq "a"', 'invalidFilter', "lacks a ')'"],
      ['userName eq "a" userName eq "b"', 'invalidFilter', 'after its end'],
      ['colour eq "red"', 'invalidFilter', "no attribute 'colour'"],
      ['emails.size eq 3', 'invalidFilter', "no attribute 'emails.size'"],
      ['active gt false', 'invalidFilter', "'eq' and 'ne'"],
      ['not userName eq "a"', 'invalidFilter', "needs '('"],
      [deep, 'invalidFilter', 'at most 200'],
      [Array.from({ length: 250 }, (_, n) => `id eq ${n}`).join(' or '), 'invalidFilter', 'at most 200'],
    ];
    for (const [filter, scimType, part] of cases) {
      const reply = await admin('GET', `${USERS}?${new URLSearchParams({ filter })}`);
      expect(scimRefusal(reply), filter.slice(0, 80)).toMatchObject({ status: 400, scimType });
      expect(reply.body.detail).toContain(part);
    }
  });

  it('pages, orders and projections', async () => {
    const all = await list(admin, USERS, { sortBy: 'userName', sortOrder: 'descending', attributes: 'userName' });
    expect(all.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:ListResponse']);
    const logins = all.Resources.map(({ userName }: { userName: string }) => userName);
    expect(logins).toEqual([...logins].sort().reverse());
    expect(Object.keys(all.Resources[0]).sort()).toEqual(['id', 'schemas', 'userName']);
    const paged: string[] = [];
    for (let startIndex = 1; ; startIndex += 2) {
      const page = await list(admin, USERS, { startIndex: String(startIndex), count: '2', sortBy: 'userName' });
      expect(page).toMatchObject({ totalResults: all.totalResults, startIndex, itemsPerPage: page.Resources.length });
      if (page.Resources.length === 0) break;
      paged.push(...page.Resources.map(({ userName }: { userName: string }) => userName));
    }
    expect(paged).toEqual([...logins].reverse());
    expect(await list(admin, USERS, { count: '0' })).toMatchObject({ totalResults: logins.length, Resources: [] });
    expect(await list(admin, USERS, { startIndex: '-5', count: '1' })).toMatchObject({
      startIndex: 1,
      itemsPerPage: 1,
    });
    const ada = await good(admin('GET', `${USERS}/${ids.ada}?attributes=emails.value,name.givenName`));
    expect(ada).toEqual({
      schemas: expect.any(Array),
      id: ids.ada,
      name: { givenName: 'Ada' },
      emails: [{ value: 'ada@contoso.example' }, { value: 'countess@home.example' }],
    });
    const without = await good(admin('GET', `${GROUPS}/${ids.outer}?excludedAttributes=members,meta,id`));
    expect(Object.keys(without).sort()).toEqual(['displayName', 'id', 'schemas']);
    for (const query of ['sortBy=colour', 'sortOrder=up', 'startIndex=one', 'count=1.5', 'attributes=a%20b'])
      expect((await admin('GET', `${USERS}?${query}`)).status, query).toBe(400);
  });
});
