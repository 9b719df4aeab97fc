import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, person, refusal } from '../support.ts';
import { getCluster, PLAIN, runningCluster } from './support.ts';

onAnyStore('data platform: permissions on compute', (bench) => {
  beforeEach(() => bench.jar.reset());

  const nameOf = async (ask: Ask): Promise<string> => (await good(ask('GET', '/preview/scim/v2/Me'))).userName;
  const denied = { status: 403, code: 'PERMISSION_DENIED' };

  it('each level on a cluster allows exactly its operations', async () => {
    const ask = await person(bench);
    const user = await person(bench, 'licensed');
    const user_name = await nameOf(user);
    const cluster_id = await runningCluster(bench, ask);
    const give = (permission_level: string) =>
      good(
        ask('PUT', `/permissions/clusters/${cluster_id}`, { access_control_list: [{ user_name, permission_level }] }),
      );
    await give('CAN_ATTACH_TO');
    expect((await good(user('GET', '/clusters/list'))).clusters).toHaveLength(1);
    await good(user('POST', '/api/1.2/contexts/create', { clusterId: cluster_id, language: 'python' }));
    expect(refusal(await user('POST', '/clusters/restart', { cluster_id }))).toMatchObject(denied);
    await give('CAN_RESTART');
    await good(user('POST', '/clusters/restart', { cluster_id }));
    await bench.jar.clock.advance('2m');
    expect(refusal(await user('POST', '/clusters/edit', { cluster_id, ...PLAIN }))).toMatchObject(denied);
    expect(refusal(await user('POST', '/libraries/install', { cluster_id, libraries: [] }))).toMatchObject(denied);
    await give('CAN_MANAGE');
    await good(user('POST', '/clusters/edit', { cluster_id, ...PLAIN, num_workers: 4 }));
    expect((await getCluster(ask, cluster_id)).num_workers).toBe(4);
  });

  it('a user with a policy creates clusters of it, and owns what an administrator gives them', async () => {
    const ask = await person(bench);
    const user = await person(bench, 'licensed');
    const user_name = await nameOf(user);
    const { policy_id } = await good(ask('POST', '/policies/clusters/create', { name: 'p', definition: '{}' }));
    await good(
      ask('PUT', `/permissions/cluster-policies/${policy_id}`, {
        access_control_list: [{ user_name, permission_level: 'CAN_USE' }],
      }),
    );
    expect((await good(user('GET', '/policies/clusters/list'))).policies).toMatchObject([{ policy_id }]);
    const { cluster_id } = await good(user('POST', '/clusters/create', { ...PLAIN, policy_id }));
    expect((await getCluster(user, cluster_id)).creator_user_name).toBe(user_name);
    const other = await runningCluster(bench, ask);
    await good(ask('POST', '/clusters/delete', { cluster_id: other }));
    await bench.jar.clock.advance('1m');
    await good(ask('POST', '/clusters/change-owner', { cluster_id: other, owner_username: user_name }));
    expect((await getCluster(user, other)).creator_user_name).toBe(user_name);
  });

  it('users entitled to pools create pools and manage their own', async () => {
    const ask = await person(bench);
    const user = await person(bench, 'licensed');
    const pool = { instance_pool_name: 'p', node_type_id: PLAIN.node_type_id };
    expect(refusal(await user('POST', '/instance-pools/create', pool))).toMatchObject(denied);
    const { id } = await good(user('GET', '/preview/scim/v2/Me'));
    await good(
      ask('PATCH', `/preview/scim/v2/Users/${id}`, {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'add', path: 'entitlements', value: [{ value: 'allow-instance-pool-create' }] }],
      }),
    );
    const { instance_pool_id } = await good(user('POST', '/instance-pools/create', pool));
    await good(user('POST', '/instance-pools/delete', { instance_pool_id }));
    expect(refusal(await user('POST', '/clusters/create', PLAIN))).toMatchObject(denied);
  });

  it('users of a warehouse start it, and its owner stops it', async () => {
    const ask = await person(bench);
    const user = await person(bench, 'licensed');
    const user_name = await nameOf(user);
    const { id } = await good(ask('POST', '/sql/warehouses', { name: 'w' }));
    await good(
      ask('PATCH', `/permissions/sql/warehouses/${id}`, {
        access_control_list: [{ user_name, permission_level: 'CAN_USE' }],
      }),
    );
    await good(user('POST', `/sql/warehouses/${id}/start`));
    expect(refusal(await user('POST', `/sql/warehouses/${id}/stop`))).toMatchObject(denied);
    expect(await good(user('GET', '/preview/sql/data_sources'))).toHaveLength(1);
  });
});
