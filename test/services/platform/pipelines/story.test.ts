import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { all, workspaceClient } from '../sdk.ts';
import { type Ask, good, person, REAL_TIMES, withoutRates } from '../support.ts';
import { notebook, ORDERS } from './support.ts';

const SOURCE = `import dlt

@dlt.table
def orders():
    return spark.read.table("raw.orders")

@dlt.view(name="recent_orders")
def recent():
    return dlt.read("orders")`;

onBothStores(
  'data platform: pipelines',
  (bench) => {
    let ask: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
    });

    it('a pipeline is found by its notebook, however long the path is', async () => {
      const name = Array.from({ length: 1500 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join(
        '',
      );
      for (const path of [`/Shared/${name}`, '/Shared/short']) {
        const body = { name: path.slice(0, 20), libraries: [{ notebook: { path } }] };
        const { pipeline_id } = await good(ask('POST', '/pipelines', body));
        const query = new URLSearchParams({ filter: `notebook='${path}'` });
        const { statuses } = await good(ask('GET', `/pipelines?${query}`));
        expect(statuses).toMatchObject([{ pipeline_id }]);
      }
    });

    it('the published client creates a pipeline, runs it through its states, stops it and reads its events', async () => {
      const { jar } = bench;
      const token = await jar.token({ user: 'admin', ttl: '365d' });
      const { pipelines } = workspaceClient(bench, { token });
      await notebook(ask, ORDERS, SOURCE);
      const { pipeline_id: id = '' } = await pipelines.create({
        name: 'orders',
        catalog: 'main',
        schema: 'sales',
        libraries: [{ notebook: { path: ORDERS } }],
        clusters: [{ label: 'default', autoscale: { min_workers: 1, max_workers: 5, mode: 'ENHANCED' } }],
        development: true,
        notifications: [{ email_recipients: ['admin@vendor.example'], alerts: ['on-update-success'] }],
      });
      expect(await pipelines.get({ pipeline_id: id })).toMatchObject({
        pipeline_id: id,
        name: 'orders',
        state: 'IDLE',
        health: 'HEALTHY',
        creator_user_name: 'admin@vendor.example',
        run_as_user_name: 'admin@vendor.example',
        spec: { id, name: 'orders', channel: 'CURRENT', edition: 'ADVANCED', continuous: false, development: true },
      });

      const { update_id: first = '' } = await pipelines.startUpdate({ pipeline_id: id });
      const state = async (update: string) => [
        (await pipelines.getUpdate({ pipeline_id: id, update_id: update })).update?.state,
        (await pipelines.get({ pipeline_id: id })).state,
      ];
      expect(await state(first)).toEqual(['CREATED', 'DEPLOYING']);
      await expect(pipelines.startUpdate({ pipeline_id: id })).rejects.toThrow(
        `An active update ${first} already exists.`,
      );
      await jar.clock.advance('5s');
      expect(await state(first)).toEqual(['WAITING_FOR_RESOURCES', 'STARTING']);
      await jar.clock.advance('55s');
      expect(await state(first)).toEqual(['INITIALIZING', 'STARTING']);
      await jar.clock.advance('30s');
      expect(await state(first)).toEqual(['SETTING_UP_TABLES', 'RUNNING']);
      await jar.clock.advance('20s');
      expect(await state(first)).toEqual(['RUNNING', 'RUNNING']);
      const { cluster_id: cluster } = await pipelines.get({ pipeline_id: id });
      expect(cluster).toMatch(/^\d{4}-\d{6}-\w{8}$/);
      await jar.clock.advance('70s');
      expect(await state(first)).toEqual(['COMPLETED', 'IDLE']);
      await jar.settled();
      expect(await jar.mailbox('admin').messages()).toMatchObject([
        { subject: `Pipeline orders: update ${first} completed` },
      ]);

      const { update_id: second = '' } = await pipelines.startUpdate({ pipeline_id: id, full_refresh: true });
      await jar.clock.advance('90s');
      expect(await state(second)).toEqual(['RESETTING', 'RESETTING']);
      const waiter = await pipelines.stop({ pipeline_id: id });
      expect(await state(second)).toEqual(['STOPPING', 'STOPPING']);
      await jar.clock.advance('10s');
      expect(await waiter.wait()).toMatchObject({ state: 'IDLE' });
      expect(await pipelines.listUpdates({ pipeline_id: id })).toMatchObject({
        updates: [
          { update_id: second, state: 'CANCELED', cause: 'API_CALL', full_refresh: true },
          { update_id: first, state: 'COMPLETED', cause: 'API_CALL', full_refresh: false },
        ],
      });

      const events = await all(pipelines.listPipelineEvents({ pipeline_id: id, max_results: 7 }));
      expect(events.length).toBeGreaterThan(14);
      expect(events[0]?.message).toContain('CANCELED');
      expect(events.at(-1)).toMatchObject({ event_type: 'user_action', origin: { pipeline_id: id } });
      expect(events.filter(({ event_type: type }) => type === 'dataset_definition')).toMatchObject([
        { origin: { dataset_name: 'recent_orders', update_id: second } },
        { origin: { dataset_name: 'orders', update_id: second } },
        { origin: { dataset_name: 'recent_orders', update_id: first } },
        { origin: { dataset_name: 'orders', update_id: first } },
      ]);

      await pipelines.update({ pipeline_id: id, name: 'renamed', libraries: [{ notebook: { path: ORDERS } }] });
      expect(await all(pipelines.listPipelines({ filter: "name LIKE 'ren%'" }))).toMatchObject([
        { pipeline_id: id, name: 'renamed', latest_updates: [{ update_id: second }, { update_id: first }] },
      ]);
      await pipelines.delete({ pipeline_id: id });
      await expect(pipelines.get({ pipeline_id: id })).rejects.toThrow(`The specified pipeline ${id} was not found.`);
      expect(await all(pipelines.listPipelines({}))).toEqual([]);
    });
  },
  REAL_TIMES,
);
