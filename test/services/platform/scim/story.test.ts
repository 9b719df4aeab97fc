import { AccountClient, WorkspaceClient } from '@databricks/sdk-experimental';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { good, person } from '../support.ts';
import { accountOf, list, patch, USERS, withoutRates } from './support.ts';

onBothStores('data platform: identities by the published client', (bench) => {
  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
  });

  it('an administrator provisions people, programs and groups in a workspace', async () => {
    const token = await bench.jar.token({ user: 'admin', ttl: '3650d' });
    const client = new WorkspaceClient({ host: bench.jar.url, token });
    const me = await client.currentUser.me();
    expect(me).toMatchObject({ active: true, groups: expect.arrayContaining([]) });
    expect(me.groups?.map(({ display }) => display).sort()).toEqual(['admins', 'users']);
    const ada = await client.usersV2.create({
      userName: 'ada@contoso.example',
      name: { givenName: 'Ada', familyName: 'Byron' },
      entitlements: [{ value: 'allow-cluster-create' }],
    });
    expect(ada).toMatchObject({
      schemas: expect.arrayContaining(['urn:ietf:params:scim:schemas:core:2.0:User']),
      id: expect.stringMatching(/^\d+$/),
      displayName: 'ada@contoso.example',
      emails: [{ value: 'ada@contoso.example', type: 'work', primary: true }],
      active: true,
      entitlements: [{ value: 'allow-cluster-create' }],
    });
    const robot = await client.servicePrincipalsV2.create({ displayName: 'robot' });
    expect(robot.applicationId).toMatch(/^[0-9a-f-]{36}$/);
    const team = await client.groupsV2.create({
      displayName: 'team',
      members: [{ value: ada.id as string }, { value: robot.id as string }],
    });
    const crowd = await client.groupsV2.create({ displayName: 'crowd', members: [{ value: team.id as string }] });
    expect(crowd).toMatchObject({
      meta: { resourceType: 'WorkspaceGroup' },
      members: [{ value: team.id, display: 'team', $ref: `Groups/${team.id}` }],
    });
    const again = await client.usersV2.get({ id: ada.id as string });
    expect(again.groups).toEqual(
      expect.arrayContaining([
        { value: team.id, display: 'team', type: 'direct', $ref: `Groups/${team.id}` },
        { value: crowd.id, display: 'crowd', type: 'indirect', $ref: `Groups/${crowd.id}` },
      ]),
    );
    await client.usersV2.update({ id: ada.id as string, userName: 'ada@contoso.example', displayName: 'Ada B.' });
    expect(await client.usersV2.get({ id: ada.id as string })).toMatchObject({ displayName: 'Ada B.' });
    // The client requests the same page endlessly, so the test reads only the first one.
    for await (const found of client.usersV2.list({ filter: 'displayName eq "Ada B."' })) {
      expect(found.id).toBe(ada.id);
      break;
    }
    await client.groupsV2.delete({ id: team.id as string });
    expect(await client.groupsV2.get({ id: crowd.id as string })).not.toHaveProperty('members');
    await client.servicePrincipalsV2.delete({ id: robot.id as string });
    await client.usersV2.delete({ id: ada.id as string });
    await expect(client.usersV2.get({ id: ada.id as string })).rejects.toMatchObject({
      statusCode: 404,
      message: `User with id ${ada.id} not found.`,
    });
  });

  it('the account has everybody, and a deletion there is a deletion everywhere', async () => {
    const token = await bench.jar.token({ user: 'admin', ttl: '3650d' });
    const accountId = await accountOf(bench);
    const client = new AccountClient({ host: bench.jar.url, token, accountId, experimentalIsUnifiedHost: true });
    const eve = await client.accountUsersV2.create({ userName: 'eve@contoso.example', displayName: 'Eve' });
    expect(eve).not.toHaveProperty('entitlements');
    const admin = await person(bench);
    expect((await admin('GET', `${USERS}/${eve.id}`)).status).toBe(404);
    const assigned = await good(admin('POST', USERS, { userName: 'EVE@contoso.example' }), 201);
    expect(assigned).toMatchObject({ id: eve.id, displayName: 'Eve' });
    const staff = await client.accountGroupsV2.create({ displayName: 'staff', members: [{ value: eve.id as string }] });
    expect(staff.meta?.resourceType).toBe('Group');
    await good(admin('DELETE', `${USERS}/${eve.id}`), 204);
    expect(await client.accountUsersV2.get({ id: eve.id as string })).toMatchObject({
      userName: 'eve@contoso.example',
    });
    await client.accountUsersV2.delete({ id: eve.id as string });
    expect(await client.accountGroupsV2.get({ id: staff.id as string })).not.toHaveProperty('members');
    await expect(client.accountUsersV2.get({ id: eve.id as string })).rejects.toMatchObject({ statusCode: 404 });
  });

  it('who is deactivated or removed loses access at once', async () => {
    const admin = await person(bench);
    const reader = await person(bench, 'licensed');
    const before = await good(reader('GET', '/preview/scim/v2/Me'));
    const { id } = before;
    await good(patch(admin, `${USERS}/${id}`, { op: 'replace', path: 'active', value: [{ value: 'false' }] }), 204);
    expect(await reader('GET', '/preview/scim/v2/Me')).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(/^User is deactivated\./) },
    });
    expect((await list(admin, USERS, { filter: 'active eq false' })).Resources).toMatchObject([{ id }]);
    await good(patch(admin, `${USERS}/${id}`, { op: 'Replace', value: { active: true } }), 204);
    await good(reader('GET', '/preview/scim/v2/Me'));
    await good(admin('DELETE', `${USERS}/${id}`), 204);
    expect((await reader('GET', '/preview/scim/v2/Me')).status).toBe(403);
    const account = await accountOf(bench);
    await good(admin('DELETE', `/accounts/${account}/scim/v2/Users/${id}`), 204);
    expect(await reader('GET', '/preview/scim/v2/Me')).toMatchObject({ status: 403, body: { error_code: 403 } });
    await good(admin('POST', USERS, { userName: before.userName }), 201);
    const after = await good(reader('GET', '/preview/scim/v2/Me'));
    expect(after).toMatchObject({ userName: before.userName });
    expect(after.id).not.toBe(id);
  });
});
