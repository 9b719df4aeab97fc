import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, person } from '../support.ts';
import {
  accountOf,
  GROUPS,
  group,
  patch,
  SERVICE_PRINCIPALS,
  scimRefusal,
  USERS,
  user,
  withoutRates,
} from './support.ts';

onAnyStore('data platform: PATCH and PUT of SCIM', (bench) => {
  let admin: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    admin = await person(bench);
  });

  const read = (path: string) => good(admin('GET', path), 200);

  it('members are added and removed in every form that clients send', async () => {
    const [a, b, c] = [await user(admin, 'a'), await user(admin, 'b'), await user(admin, 'c')];
    const { id } = await group(admin, 'team');
    const members = async (): Promise<string[]> =>
      ((await read(`${GROUPS}/${id}`)).members ?? []).map(({ value }: { value: string }) => value).sort();
    const sorted = (...people: { id: string }[]) => people.map((each) => each.id).sort();
    const at = `${GROUPS}/${id}`;
    const steps: [object[], string[]][] = [
      [[{ op: 'add', path: 'members', value: [{ value: a.id }] }], sorted(a)],
      [[{ op: 'Add', value: { members: [{ value: b.id }, { value: a.id }] } }], sorted(a, b)],
      [[{ op: 'remove', path: `members[value eq "${a.id}"]` }], sorted(b)],
      [[{ op: 'remove', path: `members[value eq "${a.id}"]` }], sorted(b)],
      [[{ op: 'replace', path: 'members', value: [{ value: a.id }, { value: c.id }] }], sorted(a, c)],
      [[{ op: 'Remove', path: 'members', value: [{ value: c.id }] }], sorted(a)],
      [
        [
          { op: 'add', path: 'members', value: [{ value: c.id }] },
          { op: 'remove', path: `members[value eq "${c.id}" or value eq "${a.id}"]` },
        ],
        [],
      ],
      [
        [
          { op: 'add', path: 'members', value: { value: c.id } },
          { op: 'add', path: 'members', value: [b.id] },
        ],
        sorted(b, c),
      ],
      [
        [
          { op: 'remove', path: 'members' },
          { op: 'add', path: 'members', value: [{ value: a.id }] },
        ],
        sorted(a),
      ],
      [[{ op: 'remove', path: 'members' }], []],
    ];
    for (const [operations, expected] of steps) {
      await good(patch(admin, at, ...operations), 204);
      expect(await members(), JSON.stringify(operations)).toEqual(expected);
    }
  });

  it('attributes of users are set, merged, filtered and removed', async () => {
    const { id } = await user(admin, 'ada', { displayName: 'Ada' });
    const at = `${USERS}/${id}`;
    const steps: [object, object][] = [
      [{ op: 'replace', path: 'displayName', value: 'Ada B.' }, { displayName: 'Ada B.' }],
      [{ op: 'replace', path: 'name.givenName', value: [{ value: 'Ada' }] }, { name: { givenName: 'Ada' } }],
      [{ op: 'add', path: 'name', value: { familyName: 'B' } }, { name: { givenName: 'Ada', familyName: 'B' } }],
      [
        { op: 'replace', value: { 'name.familyName': 'Byron', nickName: 'x' } },
        { name: { givenName: 'Ada', familyName: 'Byron' } },
      ],
      [
        { op: 'replace', path: 'emails[type eq "work"].value', value: 'new@contoso.example' },
        { emails: [{ value: 'new@contoso.example', type: 'work', primary: true }] },
      ],
      [
        { op: 'add', path: 'emails[type eq "home"].value', value: 'home@contoso.example' },
        { emails: [expect.anything(), { type: 'home', value: 'home@contoso.example' }] },
      ],
      [{ op: 'remove', path: 'emails[type eq "work"]' }, { emails: [{ type: 'home', value: 'home@contoso.example' }] }],
      [
        { op: 'add', path: 'entitlements', value: [{ value: 'workspace-access' }] },
        { entitlements: [{ value: 'workspace-access' }] },
      ],
      [
        { op: 'add', path: 'entitlements', value: [{ value: 'workspace-access' }, { value: 'allow-cluster-create' }] },
        { entitlements: [{ value: 'workspace-access' }, { value: 'allow-cluster-create' }] },
      ],
      [
        { op: 'remove', path: 'entitlements[value eq "workspace-access"]' },
        { entitlements: [{ value: 'allow-cluster-create' }] },
      ],
      [{ op: 'add', path: 'roles', value: [{ value: 'arn:x' }] }, { roles: [{ value: 'arn:x' }] }],
      [
        { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:externalId', value: 'E7' },
        { externalId: 'E7' },
      ],
      [{ op: 'replace', path: 'active', value: 'False' }, { active: false }],
    ];
    for (const [operation, expected] of steps) {
      await good(patch(admin, at, operation), 204);
      expect(await read(at), JSON.stringify(operation)).toMatchObject(expected);
    }
    await good(patch(admin, at, { op: 'remove', path: 'entitlements' }, { op: 'remove', path: 'externalId' }), 204);
    const left = await read(at);
    expect(left).not.toHaveProperty('entitlements');
    expect(left).not.toHaveProperty('externalId');
  });

  it('a refused PATCH changes nothing, even if its first operations are valid', async () => {
    const { id } = await user(admin, 'ada', { displayName: 'Ada' });
    const { id: team } = await group(admin, 'team');
    const fine = { op: 'replace', path: 'displayName', value: 'changed' };
    const cases: [string, object | undefined, string | undefined][] = [
      [USERS, { op: 'move', path: 'displayName' }, 'invalidSyntax'],
      [USERS, { op: 'remove' }, 'noTarget'],
      [USERS, { op: 'add' }, 'invalidValue'],
      [USERS, { op: 'add', path: 'displayName' }, 'invalidValue'],
      [USERS, { op: 'replace', path: 'colour', value: 'red' }, 'invalidPath'],
      [USERS, { op: 'replace', path: 'emails[type eq "work"', value: 'x' }, 'invalidPath'],
      [USERS, { op: 'replace', path: 'emails[type eq "fax"].value', value: 'x@y' }, 'noTarget'],
      [USERS, { op: 'replace', path: 'name.middleName', value: 'x' }, 'invalidPath'],
      [USERS, { op: 'replace', path: 'id', value: '7' }, 'mutability'],
      [USERS, { op: 'add', path: 'groups', value: [{ value: team }] }, 'mutability'],
      [USERS, { op: 'replace', path: 'userName', value: 'bob@contoso.example' }, 'mutability'],
      [USERS, { op: 'replace', path: 'displayName', value: 7 }, 'invalidValue'],
      [USERS, { op: 'replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
      [USERS, { op: 'add', path: 'entitlements', value: [{ value: 'fly' }] }, 'invalidValue'],
      [USERS, { op: 'add', path: 'emails', value: [{ value: 'nowhere' }] }, 'invalidValue'],
      [GROUPS, { op: 'add', path: 'members', value: [{ value: '404' }] }, 'invalidValue'],
      [GROUPS, { op: 'remove', path: 'members[display co "a"]' }, 'invalidFilter'],
      [GROUPS, { op: 'remove', path: 'displayName' }, 'invalidValue'],
    ];
    for (const [kind, operation, scimType] of cases) {
      const reply = await patch(
        admin,
        `${kind}/${kind === USERS ? id : team}`,
        fine,
        ...(operation ? [operation] : []),
      );
      expect(scimRefusal(reply), JSON.stringify(operation)).toMatchObject({ status: 400, scimType });
      expect(reply.body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '400' });
    }
    expect((await read(`${USERS}/${id}`)).displayName).toBe('Ada');
    expect((await read(`${GROUPS}/${team}`)).displayName).toBe('team');
    expect(scimRefusal(await admin('PATCH', `${USERS}/${id}`, {}))).toMatchObject({ scimType: 'invalidSyntax' });
    expect((await patch(admin, `${USERS}/${team}`, fine)).status).toBe(404);
  });

  it('PUT replaces everything but what cannot change', async () => {
    const made = await user(admin, 'ada', {
      displayName: 'Ada',
      externalId: 'E',
      entitlements: [{ value: 'workspace-access' }],
    });
    const at = `${USERS}/${made.id}`;
    await good(patch(admin, at, { op: 'replace', path: 'active', value: false }), 204);
    const put = await good(admin('PUT', at, { userName: 'ada@contoso.example', displayName: 'Countess' }), 200);
    expect(put).toMatchObject({ id: made.id, displayName: 'Countess', active: false });
    expect(put).not.toHaveProperty('externalId');
    expect(put).not.toHaveProperty('entitlements');
    expect(scimRefusal(await admin('PUT', at, { displayName: 'x' }))).toMatchObject({
      status: 400,
      scimType: 'invalidValue',
    });
    const robot = await good(admin('POST', SERVICE_PRINCIPALS, { displayName: 'r' }), 201);
    const other = '11111111-2222-4333-8444-555555555555';
    expect(
      scimRefusal(await admin('PUT', `${SERVICE_PRINCIPALS}/${robot.id}`, { applicationId: other })),
    ).toMatchObject({
      scimType: 'mutability',
    });
    expect(await good(admin('PUT', `${SERVICE_PRINCIPALS}/${robot.id}`, { displayName: 's' }), 200)).toMatchObject({
      applicationId: robot.applicationId,
      displayName: 's',
    });
  });

  it('is found at the paths of the rate table as well, and a name in another case is the same name', async () => {
    const me = await read('//scim/v2/Me');
    expect(await read(`//account-scim/v2/Users/${me.id}`)).toMatchObject({ userName: me.userName, id: me.id });
    expect(await read(`/api/2.1/accounts/${await accountOf(bench)}/scim/v2/Users/${me.id}`)).toMatchObject({
      id: me.id,
    });
    const put = await good(admin('PUT', `${USERS}/${me.id}`, { userName: me.userName.toUpperCase() }), 200);
    expect(put.userName).toBe(me.userName);
    const scim = `/accounts/${await accountOf(bench)}/scim/v2`;
    const rename = { op: 'replace', path: 'userName', value: 'renamed@contoso.example' };
    await good(patch(admin, `${scim}/Users/${me.id}`, rename), 204);
    const second = await good(admin('POST', USERS, { userName: me.userName }), 201);
    expect(second.id).not.toBe(me.id);
    expect(await read('/preview/scim/v2/Me')).toMatchObject({ id: me.id, userName: 'renamed@contoso.example' });
  });

  it('the account renames users, and no two are alike', async () => {
    const scim = `/accounts/${await accountOf(bench)}/scim/v2`;
    const ada = await user(admin, 'ada');
    await user(admin, 'bob');
    const rename = (userName: string) =>
      patch(admin, `${scim}/Users/${ada.id}`, { op: 'replace', path: 'userName', value: userName });
    expect(scimRefusal(await rename('BOB@contoso.example'))).toMatchObject({ status: 409, scimType: 'uniqueness' });
    await good(rename('countess@contoso.example'), 204);
    expect(await read(`${USERS}/${ada.id}`)).toMatchObject({ userName: 'countess@contoso.example' });
    expect(scimRefusal(await admin('POST', USERS, { userName: 'Countess@contoso.example' }))).toMatchObject({
      status: 409,
      scimType: 'uniqueness',
      detail: 'User with username Countess@contoso.example already exists.',
    });
    await group(admin, 'team');
    expect(scimRefusal(await admin('POST', GROUPS, { displayName: 'TEAM' }))).toMatchObject({
      status: 409,
      detail: 'Group with name TEAM already exists.',
    });
    const robot = await good(admin('POST', SERVICE_PRINCIPALS, { displayName: 'r' }), 201);
    expect((await admin('POST', SERVICE_PRINCIPALS, { applicationId: robot.applicationId })).status).toBe(409);
    for (const body of [{}, { userName: '' }, { userName: 'nobody' }, { userName: 7 }, [], 'x'])
      expect((await admin('POST', USERS, body)).status, JSON.stringify(body)).toBe(400);
  });
});
