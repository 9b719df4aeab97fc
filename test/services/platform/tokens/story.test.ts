import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { APPLICATION, APPLICATION_SECRET, accountClient, all, workspaceClient } from '../sdk.ts';

const DAY = 86_400_000;

onBothStores('data platform: credentials by the published client', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('a person makes a token with a token of the directory, works with it, and an administrator revokes it', async () => {
    const admin = workspaceClient(bench, { token: await bench.jar.token({ user: 'admin', ttl: '3650d' }) });
    const person = workspaceClient(bench, { token: await bench.jar.token({ user: 'licensed', ttl: '3650d' }) });
    const { token_value: token = '', token_info: made } = await person.tokens.create({
      comment: 'laptop',
      lifetime_seconds: 3600,
    });
    expect(token).toMatch(/^dapi[0-9a-f]{32}$/);
    const now = bench.jar.clock.now().getTime();
    expect(made).toMatchObject({ comment: 'laptop', creation_time: now, expiry_time: now + 3_600_000 });

    const withToken = workspaceClient(bench, { token });
    expect((await all(withToken.tokens.list())).map(({ token_id }) => token_id)).toEqual([made?.token_id]);
    const [info] = await all(admin.tokenManagement.list({}));
    expect(info).toMatchObject({
      token_id: made?.token_id,
      created_by_username: 'licensed@vendor.example',
      last_used_day: Math.floor(now / DAY) * DAY,
    });
    expect(await admin.tokenManagement.get({ token_id: made?.token_id ?? '' })).toEqual({ token_info: info });

    await admin.tokenManagement.delete({ token_id: made?.token_id ?? '' });
    await expect(all(withToken.tokens.list())).rejects.toThrow(/Invalid access token/);
    expect(await all(person.tokens.list())).toEqual([]);
  });

  it('a service principal works with a token on its behalf, with its directory secret, and with a secret of the account', async () => {
    const token = await bench.jar.token({ user: 'admin', ttl: '3650d' });
    const [admin, account] = [workspaceClient(bench, { token }), accountClient(bench, { token })];
    const { token_value = '', token_info } = await admin.tokenManagement.createOboToken({
      application_id: APPLICATION,
    });
    expect(token_info).toMatchObject({ expiry_time: -1, comment: '' });
    expect(await all(workspaceClient(bench, { token: token_value }).tokens.list())).toHaveLength(1);

    const byDirectory = workspaceClient(bench, { clientId: APPLICATION, clientSecret: APPLICATION_SECRET });
    expect(await all(byDirectory.tokens.list())).toHaveLength(1);

    const principal = String(token_info?.owner_id);
    const { secret = '', id = '' } = await account.servicePrincipalSecrets.create({ service_principal_id: principal });
    const program = workspaceClient(bench, { clientId: APPLICATION, clientSecret: secret });
    await program.secrets.createScope({ scope: 'of-the-program' });
    expect((await all(program.secrets.listScopes())).map(({ name }) => name)).toEqual(['of-the-program']);
    await account.servicePrincipalSecrets.delete({ service_principal_id: principal, secret_id: id });
    const late = workspaceClient(bench, { clientId: APPLICATION, clientSecret: secret });
    await expect(all(late.secrets.listScopes())).rejects.toThrow(/invalid_client/);
  });

  it('people share secrets', async () => {
    const client = async (user: string) =>
      workspaceClient(bench, { token: await bench.jar.token({ user, ttl: '3650d' }) });
    const [owner, reader] = [await client('licensed'), await client('no-job-queue')];
    await owner.secrets.createScope({ scope: 'db' });
    await owner.secrets.putSecret({ scope: 'db', key: 'password', string_value: 'früh' });
    await expect(reader.secrets.getSecret({ scope: 'db', key: 'password' })).rejects.toThrow(/READ permission/);
    await owner.secrets.putAcl({ scope: 'db', principal: 'no-job-queue@vendor.example', permission: 'READ' });
    const { value = '' } = await reader.secrets.getSecret({ scope: 'db', key: 'password' });
    expect(Buffer.from(value, 'base64').toString()).toBe('früh');
    await expect(reader.secrets.putSecret({ scope: 'db', key: 'x', string_value: '' })).rejects.toThrow(/WRITE/);
    expect(await all(owner.secrets.listAcls({ scope: 'db' }))).toEqual([
      { principal: 'licensed@vendor.example', permission: 'MANAGE' },
      { principal: 'no-job-queue@vendor.example', permission: 'READ' },
    ]);
  });
});
