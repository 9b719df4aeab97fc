import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { accountClient, all, workspaceClient } from '../sdk.ts';
import { by, good, person, refusal } from '../support.ts';

onBothStores('data platform: addresses by the published client', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('administrators keep lists for the account and for a workspace', async () => {
    const token = await bench.jar.token({ user: 'admin', ttl: '3650d' });
    const [workspace, account] = [workspaceClient(bench, { token }), accountClient(bench, { token })];
    for (const ipAccessLists of [workspace.ipAccessLists, account.accountIpAccessLists]) {
      const office = { label: 'office', list_type: 'ALLOW', ip_addresses: ['127.0.0.0/8', '10.1.2.3'] } as const;
      const { ip_access_list: made } = await ipAccessLists.create({
        ...office,
        ip_addresses: [...office.ip_addresses],
      });
      expect(made).toMatchObject({ ...office, address_count: 2, enabled: true });
      const ip_access_list_id = made?.list_id ?? '';
      await ipAccessLists.replace({
        ip_access_list_id,
        label: 'bad',
        list_type: 'BLOCK',
        enabled: false,
        ip_addresses: ['10.0.0.1'],
      });
      const { ip_access_list: replaced } = await ipAccessLists.get({ ip_access_list_id });
      expect(replaced).toMatchObject({ label: 'bad', list_type: 'BLOCK', enabled: false, address_count: 1 });
      expect(await all(ipAccessLists.list())).toEqual([replaced]);
      await ipAccessLists.delete({ ip_access_list_id });
      await expect(ipAccessLists.get({ ip_access_list_id })).rejects.toThrow(/does not exist/);
    }
    const conf = await workspace.workspaceConf.getStatus({ keys: 'enableIpAccessLists' });
    expect(conf).toEqual({ enableIpAccessLists: null });
  });

  it('tokens, secrets, settings and lists belong to one workspace, and are removed with it', async () => {
    const admin = await person(bench);
    const { account_id } = await good(
      bench.call('GET', '/.well-known/databricks-config', {
        token: null,
        headers: { host: await hostOfFirst() },
      }),
    );
    const workspaces = `/accounts/${account_id}/workspaces`;
    const { workspace_id } = await good(admin('POST', workspaces, { workspace_name: 'lab', location: 'westus2' }));
    await bench.jar.clock.advance('1h');
    const lab = { 'x-databricks-workspace-id': String(workspace_id) };
    const { token_value } = await good(admin('POST', '/token/create', {}, lab));
    await good(admin('POST', '/secrets/scopes/create', { scope: 's' }, lab));
    await good(admin('PATCH', '/workspace-conf', { maxTokenLifetimeDays: '1' }, lab), 204);
    const inLab = by(bench, token_value);
    // The workspace is determined by the token only.
    expect((await good(inLab('GET', '/secrets/scopes/list'))).scopes).toHaveLength(1);
    expect((await good(admin('GET', '/secrets/scopes/list'))).scopes).toEqual([]);
    expect((await good(admin('GET', '/token-management/tokens'))).token_infos).toEqual([]);
    expect(await good(admin('GET', '/workspace-conf?keys=maxTokenLifetimeDays'))).toEqual({
      maxTokenLifetimeDays: null,
    });
    await good(admin('DELETE', `${workspaces}/${workspace_id}`));
    expect(refusal(await inLab('GET', '/secrets/scopes/list'))).toMatchObject({ status: 403, code: 403 });
    await bench.jar.settled();
    expect(refusal(await inLab('GET', '/secrets/scopes/list'))).toMatchObject({ status: 403, code: 403 });

    async function hostOfFirst(): Promise<string> {
      const id = (await admin('GET', '/token/list')).headers.get('x-databricks-org-id');
      return `${id}.platform.localhost:${new URL(bench.jar.url).port}`;
    }
  });
});
