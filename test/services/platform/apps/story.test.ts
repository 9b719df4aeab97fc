import { WorkspaceClient } from '@databricks/sdk-experimental';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { all } from '../sdk.ts';
import { by, control, good, person, REAL_TIMES, refusal } from '../support.ts';

const PATH = '/apps';

onBothStores(
  'data platform: apps',
  (bench) => {
    beforeEach(() => bench.jar.reset());

    it('the published client creates an app, deploys it, stops, starts, updates and deletes it', async () => {
      const { jar } = bench;
      const client = new WorkspaceClient({ host: jar.url, token: await jar.token({ user: 'admin', ttl: '365d' }) });
      await client.workspace.mkdirs({ path: '/Workspace/Shared/shop' });
      const waiter = await client.apps.create({ app: { name: 'shop', description: 'Sells' } });
      const made = await client.apps.get({ name: 'shop' });
      expect(made).toMatchObject({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        url: expect.stringMatching(/^https:\/\/shop-\d+\.apps\.localhost$/),
        creator: 'admin@vendor.example',
        compute_status: { state: 'STARTING' },
        app_status: { state: 'UNAVAILABLE' },
        service_principal_name: expect.stringMatching(/ shop$/),
        compute_size: 'MEDIUM',
      });
      await jar.clock.advance('2m');
      expect((await waiter.wait()).compute_status?.state).toBe('ACTIVE');
      // The service principal is one of the workspace.
      const principal = await client.servicePrincipalsV2.get({ id: String(made.service_principal_id) });
      expect(principal).toMatchObject({ applicationId: made.service_principal_client_id, active: true });

      const deploying = await client.apps.deploy({
        app_name: 'shop',
        app_deployment: { source_code_path: '/Workspace/Shared/shop', mode: 'SNAPSHOT' },
      });
      expect(await client.apps.get({ name: 'shop' })).toMatchObject({
        app_status: { state: 'DEPLOYING' },
        pending_deployment: { status: { state: 'IN_PROGRESS' } },
      });
      await jar.clock.advance('2m');
      expect(await deploying.wait()).toMatchObject({ status: { state: 'SUCCEEDED' }, mode: 'SNAPSHOT' });
      const running = await client.apps.get({ name: 'shop' });
      expect(running).toMatchObject({
        app_status: { state: 'RUNNING' },
        active_deployment: { source_code_path: '/Workspace/Shared/shop' },
        default_source_code_path: '/Workspace/Shared/shop',
      });
      expect(running.pending_deployment).toBeUndefined();
      expect(await all(client.apps.listDeployments({ app_name: 'shop' }))).toHaveLength(1);

      const stopping = await client.apps.stop({ name: 'shop' });
      await jar.clock.advance('30s');
      expect((await stopping.wait()).app_status?.state).toBe('UNAVAILABLE');
      const starting = await client.apps.start({ name: 'shop' });
      await jar.clock.advance('2m');
      expect((await starting.wait()).app_status?.state).toBe('RUNNING');

      const update = await client.apps.createUpdate({
        app_name: 'shop',
        update_mask: 'compute_size,description',
        app: { name: 'shop', compute_size: 'LARGE', description: 'Sells more' },
      });
      expect(await client.apps.get({ name: 'shop' })).toMatchObject({
        compute_status: { state: 'UPDATING' },
        compute_size: 'MEDIUM',
      });
      await jar.clock.advance('1m');
      expect(await update.wait()).toMatchObject({ status: { state: 'SUCCEEDED' }, compute_size: 'LARGE' });
      expect(await client.apps.get({ name: 'shop' })).toMatchObject({
        compute_status: { state: 'ACTIVE' },
        compute_size: 'LARGE',
        description: 'Sells more',
      });

      expect((await client.apps.delete({ name: 'shop' })).compute_status?.state).toBe('DELETING');
      await expect(client.apps.delete({ name: 'shop' })).rejects.toThrow('not terminal');
      expect((await all(client.apps.list({}))).map(({ name }) => name)).toEqual(['shop']);
      await jar.clock.advance('1m');
      await expect(client.apps.get({ name: 'shop' })).rejects.toThrow('does not exist');
      await expect(client.servicePrincipalsV2.get({ id: String(made.service_principal_id) })).rejects.toThrow();
    });

    it('two concurrent creations with the same name make one app with one service principal, and the limit holds under concurrency', async () => {
      const ask = await person(bench);
      const twice = await Promise.all(Array.from({ length: 4 }, () => ask('POST', PATH, { name: 'same' })));
      expect(twice.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
      expect(refusal(twice.find(({ status }) => status === 409) as never)).toMatchObject({
        code: 'RESOURCE_ALREADY_EXISTS',
        message: 'An app with the same name already exists: same',
      });
      await control(bench, 'PATCH', 'limits', { name: 'platform.apps', limit: 3 });
      const more = await Promise.all(Array.from({ length: 6 }, (_, n) => ask('POST', PATH, { name: `app-${n}` })));
      expect(more.filter(({ status }) => status === 200)).toHaveLength(2);
      expect(refusal(more.find(({ status }) => status !== 200) as never)).toMatchObject({
        status: 400,
        code: 'RESOURCE_LIMIT_EXCEEDED',
      });
      const { Resources } = await good(ask('GET', '/preview/scim/v2/ServicePrincipals?filter=displayName sw "app-"'));
      expect(Resources).toHaveLength(3);
    });

    it('an app gets access only to existing objects that its creator manages', async () => {
      const ask = await person(bench);
      const { id: warehouse } = await good(ask('POST', '/sql/warehouses', { name: 'w' }));
      await good(ask('POST', '/secrets/scopes/create', { scope: 'keys' }));
      await good(ask('POST', '/secrets/put', { scope: 'keys', key: 'one', string_value: 'x' }));
      const served = await good(ask('POST', '/serving-endpoints', { name: 'model' }));
      const resources = [
        { name: 'w', sql_warehouse: { id: warehouse, permission: 'CAN_USE' } },
        { name: 's', secret: { scope: 'keys', key: 'one', permission: 'READ' } },
        { name: 'm', serving_endpoint: { name: 'model', permission: 'CAN_QUERY' } },
      ];
      const made = await good(ask('POST', PATH, { name: 'shop', resources }));
      const levels = async (path: string) =>
        (await good(ask('GET', `/permissions/${path}`))).access_control_list
          .filter(
            (each: { service_principal_name?: string }) =>
              each.service_principal_name === made.service_principal_client_id,
          )
          .map(
            (each: { all_permissions: { permission_level: string }[] }) => each.all_permissions[0]?.permission_level,
          );
      expect(await levels(`warehouses/${warehouse}`)).toEqual(['CAN_USE']);
      expect(await levels(`serving-endpoints/${served.id}`)).toEqual(['CAN_QUERY']);
      const acls = async () => (await good(ask('GET', '/secrets/acls/list?scope=keys'))).items;
      expect(await acls()).toContainEqual({ principal: made.service_principal_client_id, permission: 'READ' });
      await good(ask('PATCH', `${PATH}/shop`, { resources: resources.slice(0, 1) }));
      expect(await levels(`serving-endpoints/${served.id}`)).toEqual([]);
      expect(await acls()).toHaveLength(1);

      for (const missing of [
        { sql_warehouse: { id: 'none', permission: 'CAN_USE' } },
        { secret: { scope: 'none', key: 'one', permission: 'READ' } },
        { secret: { scope: 'keys', key: 'none', permission: 'READ' } },
        { serving_endpoint: { name: 'none', permission: 'CAN_QUERY' } },
        { job: { id: '5', permission: 'CAN_VIEW' } },
        { app: { name: 'none', permission: 'CAN_USE' } },
        { experiment: { experiment_id: '5', permission: 'CAN_READ' } },
      ])
        expect((await ask('POST', PATH, { name: 'other', resources: [{ name: 'r', ...missing }] })).status).toBe(404);
      // Refused requests leave nothing behind.
      expect((await good(ask('GET', PATH))).apps).toHaveLength(1);
      const { Resources } = await good(ask('GET', '/preview/scim/v2/ServicePrincipals?filter=displayName sw "app-"'));
      expect(Resources).toHaveLength(1);
      const licensed = by(bench, await bench.jar.token({ user: 'licensed', ttl: '1d' }));
      expect(refusal(await licensed('POST', PATH, { name: 'theirs', resources: resources.slice(0, 1) }))).toMatchObject(
        {
          status: 403,
          code: 'PERMISSION_DENIED',
        },
      );
    });
  },
  REAL_TIMES,
);
