import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { ACCOUNT, accountClient, all, workspaceClient } from '../sdk.ts';
import { by, control, good, person } from '../support.ts';
import { patch, USERS, withoutRates, workspaceOf } from './support.ts';

const ADA = 'ada@contoso.example';

onAnyStore('data platform: joiners and leavers', (bench) => {
  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
  });

  it('a user is provisioned, assigned, deactivated, deleted and purged', async () => {
    const token = await bench.jar.token({ user: 'admin', ttl: '3650d' });
    const account = accountClient(bench, { token });
    const client = workspaceClient(bench, { token });
    const ask = by(bench, token);
    const workspace_id = Number(await workspaceOf(ask));
    const ada = await account.accountUsersV2.create({ userName: ADA, externalId: 'hr-7' });
    const principal_id = Number(ada.id);
    const assigned = async () =>
      (await all(account.workspaceAssignment.list({ workspace_id }))).find(
        ({ principal }) => principal?.principal_id === principal_id,
      );
    expect(await assigned()).toBeUndefined();
    await account.workspaceAssignment.update({ workspace_id, principal_id, permissions: ['ADMIN'] });
    expect(await assigned()).toMatchObject({ permissions: ['ADMIN'], principal: { user_name: ADA } });
    expect((await client.usersV2.get({ id: String(ada.id) })).groups?.map(({ display }) => display).sort()).toEqual([
      'admins',
      'users',
    ]);
    await account.workspaceAssignment.update({ workspace_id, principal_id, permissions: ['USER'] });
    expect(await assigned()).toMatchObject({ permissions: ['USER'] });
    // The published client sends no body with PATCH.
    await good(patch(ask, `${USERS}/${ada.id}`, { op: 'Replace', path: 'active', value: 'False' }), 204);
    expect(await client.usersV2.get({ id: String(ada.id) })).toMatchObject({ active: false });
    expect(await account.accountUsersV2.get({ id: String(ada.id) })).toMatchObject({
      active: true,
      externalId: 'hr-7',
    });
    await client.usersV2.delete({ id: String(ada.id) });
    expect(await assigned()).toBeUndefined();
    const path = `/accounts/${ACCOUNT}/scim/v2/Users/${ada.id}`;
    await bench.jar.clock.advance('29d');
    expect((await ask('GET', path)).status).toBe(200);
    await bench.jar.clock.advance('1d');
    expect((await ask('GET', path)).status).toBe(404);
    const { body } = await control(bench, 'GET', 'changes?%24top=100');
    expect(JSON.stringify(body)).toContain(`/${ACCOUNT}/Users/${ada.id}`);
    expect(await account.accountUsersV2.create({ userName: ADA })).not.toMatchObject({ id: ada.id });
  });

  it('a purge frees the count of principals in the transaction that deletes', async () => {
    const ask = await person(bench);
    const scim = `/accounts/${ACCOUNT}/scim/v2`;
    const count = async (kind: string) => (await good(ask('GET', `${scim}/${kind}?count=0`))).totalResults;
    const limit = (await count('Users')) + (await count('ServicePrincipals')) + 1;
    await good(control(bench, 'PATCH', 'limits', { name: 'platform.principals', limit }));
    const { id } = await good(ask('POST', USERS, { userName: ADA }), 201);
    await good(ask('DELETE', `${USERS}/${id}`), 204);
    const other = { userName: 'bob@contoso.example' };
    expect((await ask('POST', USERS, other)).status).toBe(400);
    await bench.jar.clock.advance('30d');
    await good(ask('POST', USERS, other), 201);
  });
});
