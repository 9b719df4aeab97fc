import { WorkspaceClient } from '@databricks/sdk-experimental';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { control, good, person, REAL_TIMES, refusal } from '../support.ts';

const PATH = '/sql/warehouses';
const SERVERLESS = { cluster_size: 'Small', warehouse_type: 'PRO', enable_serverless_compute: true };

onBothStores(
  'data platform: SQL warehouses',
  (bench) => {
    beforeEach(() => bench.jar.reset());

    it('the published client creates a warehouse, waits for it, changes it, and the idle warehouse stops', async () => {
      const { jar } = bench;
      const client = new WorkspaceClient({ host: jar.url, token: await jar.token({ user: 'admin', ttl: '365d' }) });
      const waiter = await client.warehouses.create({
        name: 'reports',
        cluster_size: 'Medium',
        max_num_clusters: 3,
        auto_stop_mins: 20,
        tags: { custom_tags: [{ key: 'team', value: 'data' }] },
      });
      const id = waiter.id as string;
      expect(id).toMatch(/^[0-9a-f]{16}$/);
      expect(await client.warehouses.get({ id })).toMatchObject({
        state: 'STARTING',
        name: 'reports',
        num_clusters: 0,
        min_num_clusters: 1,
        max_num_clusters: 3,
        warehouse_type: 'CLASSIC',
        enable_photon: true,
        odbc_params: { path: `/sql/1.0/warehouses/${id}`, port: 443, protocol: 'https' },
        health: { status: 'HEALTHY' },
      });
      await jar.clock.advance('2m');
      expect(await waiter.wait()).toMatchObject({ state: 'RUNNING', num_clusters: 1 });
      // The client copies the array into an object.
      expect(Object.values(await client.dataSources.list())).toMatchObject([{ name: 'reports', warehouse_id: id }]);

      await client.warehouses.edit({ id, name: 'renamed' });
      expect(await client.warehouses.get({ id })).toMatchObject({
        state: 'RUNNING',
        name: 'renamed',
        auto_stop_mins: 20,
      });
      await client.warehouses.edit({ id, cluster_size: 'Large' });
      expect(await client.warehouses.get({ id })).toMatchObject({ state: 'STARTING', cluster_size: 'Large' });
      await jar.clock.advance('2m');
      await jar.clock.advance('19m');
      expect((await client.warehouses.get({ id })).state).toBe('RUNNING');
      await jar.clock.advance('1m');
      expect((await client.warehouses.get({ id })).state).toBe('STOPPING');
      await jar.clock.advance('30s');
      expect((await client.warehouses.get({ id })).state).toBe('STOPPED');

      await client.warehouses.start({ id });
      await client.warehouses.start({ id });
      await jar.clock.advance('2m');
      await client.warehouses.stop({ id });
      await client.warehouses.stop({ id });
      await jar.clock.advance('30s');
      const names: string[] = [];
      for await (const each of client.warehouses.list({})) names.push(each.name as string);
      expect(names).toEqual(['renamed']);
      await client.warehouses.delete({ id });
      await expect(client.warehouses.get({ id })).rejects.toThrow(`SQL warehouse ${id} does not exist.`);
      expect(await client.queryHistory.list({})).toMatchObject({ res: [], has_next_page: false });
    });

    it('the limit of warehouses holds under concurrency, and a deletion makes room at once', async () => {
      const ask = await person(bench);
      await control(bench, 'PATCH', 'limits', { name: 'platform.warehouses', limit: 3 });
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, n) => ask('POST', PATH, { name: `w${n}`, cluster_size: 'Small' })),
      );
      const made = replies.filter(({ status }) => status === 200);
      expect(made).toHaveLength(3);
      const refused = replies.find(({ status }) => status !== 200);
      expect(refused && refusal(refused)).toMatchObject({ status: 400, code: 'RESOURCE_LIMIT_EXCEEDED' });
      expect(refused?.body.details[0].metadata).toMatchObject({ limit: 'platform.warehouses', value: '3' });
      await good(ask('DELETE', `${PATH}/${made[0]?.body.id}`));
      await good(ask('POST', PATH, { name: 'next' }));
      await bench.jar.clock.advance('30s');
      expect((await good(ask('GET', PATH))).warehouses).toHaveLength(3);
    });

    it('running serverless warehouses take of the quota of the account, and give it back when they have stopped', async () => {
      const ask = await person(bench);
      await control(bench, 'PATCH', 'limits', { name: 'platform.serverless', limit: 30, mode: 'enforced' });
      const first = (await good(ask('POST', PATH, { ...SERVERLESS, name: 'a' }))).id;
      await good(ask('POST', PATH, { ...SERVERLESS, name: 'b' }));
      const refused = await ask('POST', PATH, { ...SERVERLESS, name: 'c' });
      expect(refusal(refused)).toMatchObject({ status: 400, code: 'RESOURCE_LIMIT_EXCEEDED' });
      expect(refused.body.message).toContain('Serverless compute');
      await good(ask('POST', PATH, { name: 'classic', cluster_size: 'Small' }));
      await bench.jar.clock.advance('5s');
      expect((await good(ask('GET', `${PATH}/${first}`))).state).toBe('RUNNING');
      expect(refusal(await ask('POST', `${PATH}/${first}/edit`, { min_num_clusters: 2 }))).toMatchObject({
        code: 'RESOURCE_LIMIT_EXCEEDED',
      });
      expect((await good(ask('GET', `${PATH}/${first}`))).min_num_clusters).toBe(1);
      await good(ask('POST', `${PATH}/${first}/stop`));
      expect((await ask('POST', PATH, { ...SERVERLESS, name: 'c' })).status).toBe(400);
      await bench.jar.clock.advance('30s');
      await good(ask('POST', PATH, { ...SERVERLESS, name: 'c' }));
      expect(refusal(await ask('POST', `${PATH}/${first}/start`))).toMatchObject({ code: 'RESOURCE_LIMIT_EXCEEDED' });
      expect((await good(ask('GET', `${PATH}/${first}`))).state).toBe('STOPPED');
    });

    it('the configuration of the workspace restricts warehouses, and restarts running ones', async () => {
      const ask = await person(bench);
      const { id } = await good(ask('POST', PATH, { name: 'a' }));
      await bench.jar.clock.advance('2m');
      expect(await good(ask('GET', '/sql/config/warehouses'))).toMatchObject({
        enable_serverless_compute: true,
        security_policy: 'DATA_ACCESS_CONTROL',
      });
      await good(
        ask('PUT', '/sql/config/warehouses', {
          enable_serverless_compute: false,
          enabled_warehouse_types: [
            { warehouse_type: 'CLASSIC', enabled: false },
            { warehouse_type: 'PRO', enabled: true },
          ],
        }),
      );
      await bench.jar.clock.advance('1s');
      expect((await good(ask('GET', `${PATH}/${id}`))).state).toBe('STARTING');
      expect(refusal(await ask('POST', PATH, { ...SERVERLESS, name: 'b' }))).toMatchObject({
        status: 404,
        code: 'FEATURE_DISABLED',
      });
      expect(refusal(await ask('POST', PATH, { name: 'c' }))).toMatchObject({ code: 'INVALID_PARAMETER_VALUE' });
      await good(ask('POST', PATH, { name: 'd', warehouse_type: 'PRO' }));
    });
  },
  REAL_TIMES,
);
