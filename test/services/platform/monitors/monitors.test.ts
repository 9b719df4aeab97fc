import { beforeEach, expect, it } from 'vitest';
import { byId } from '../../../../src/services/platform/catalog/core/chain.ts';
import { columnsOf } from '../../../../src/services/platform/catalog/tables/column-store.ts';
import { filesAt } from '../../../../src/services/platform/catalog/tables/data/files.ts';
import { replaceFiles } from '../../../../src/services/platform/catalog/tables/data/log.ts';
import { type Row, readRows, stageRows } from '../../../../src/services/platform/catalog/tables/data/rows.ts';
import type { PlatformJar } from '../../../../src/services/platform/jar.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onBothStores } from '../../../support/jars.ts';
import { workspaceClient } from '../sdk.ts';
import { type Ask, control, good, person, refusal, withoutRates } from '../support.ts';

const UC = '/api/2.1/unity-catalog';
const NEW = '/api/data-quality/v1/monitors';
const TABLE = 'main.default.orders';
const probe = new JarProbe();

onBothStores(
  'data platform: data monitors',
  (bench) => {
    let ask: Ask;
    let table: { readonly table_id: string };

    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
      table = await good(
        ask('POST', `${UC}/tables`, {
          catalog_name: 'main',
          schema_name: 'default',
          name: 'orders',
          table_type: 'EXTERNAL',
          data_source_format: 'DELTA',
          storage_location: 'abfss://lake@vendor.example/orders',
          columns: [
            { name: 'id', type_name: 'LONG' },
            { name: 'item', type_name: 'STRING' },
            { name: 'at', type_name: 'TIMESTAMP' },
          ],
        }),
      );
    });

    const MONITOR = { assets_dir: '/Shared', output_schema_name: 'main.default', snapshot: {} };
    const monitor = (body: object = MONITOR) => ask('POST', `${UC}/tables/${TABLE}/monitor`, body);

    async function write(rows: readonly Row[]): Promise<void> {
      const jar = probe.jar as PlatformJar;
      const found = await byId(jar.store, table.table_id);
      if (!found) throw new Error('there is no such table');
      const add = await stageRows(jar, await columnsOf(jar.store, found), rows);
      await jar.store.transact((tx) => replaceFiles(tx, jar, found, { operation: 'WRITE', by: found.owner, add }));
    }

    it('a monitor is created, refreshed, and writes its metrics to its own table', async () => {
      await write([
        [1n, 'tea', 1000],
        [5n, null, 2000],
      ]);
      const client = workspaceClient(bench, { token: await bench.jar.token({ user: 'admin' }) });
      const made = await good(monitor());
      expect(made).toMatchObject({
        table_name: TABLE,
        status: 'MONITOR_STATUS_PENDING',
        monitor_version: 0,
        output_schema_name: 'main.default',
        profile_metrics_table_name: 'main.default.orders_profile_metrics',
        drift_metrics_table_name: 'main.default.orders_drift_metrics',
        snapshot: {},
      });
      await bench.jar.clock.advance('1m');
      expect((await client.qualityMonitors.get({ table_name: TABLE })).status).toBe('MONITOR_STATUS_ACTIVE');
      const refresh = await client.qualityMonitors.runRefresh({ table_name: TABLE });
      expect(refresh).toMatchObject({ refresh_id: 1, state: 'PENDING', trigger: 'MANUAL' });
      await bench.jar.clock.advance('10s');
      const state = async () => (await good(ask('GET', `${UC}/tables/${TABLE}/monitor/refreshes/1`))).state;
      expect(await state()).toBe('RUNNING');
      await bench.jar.clock.advance('2m');
      expect(await state()).toBe('SUCCESS');
      const { table_id: figures } = await good(ask('GET', `${UC}/tables/main.default.orders_profile_metrics`));
      const { store } = probe.jar;
      const found = await byId(store, figures);
      const columns = found ? await columnsOf(store, found) : [];
      const rows: Row[] = [];
      for (const file of await filesAt(store, figures))
        for await (const some of readRows(store, file, columns)) rows.push(...some);
      expect(rows.map((row) => row.slice(4))).toEqual([
        [':table', 2n, 0n, null, null],
        ['id', 2n, 0n, '1', '5'],
        ['item', 2n, 1n, 'tea', 'tea'],
        ['at', 2n, 0n, expect.any(String), expect.any(String)],
      ]);
    });

    it('a schedule refreshes automatically until it is paused', async () => {
      const schedule = { quartz_cron_expression: '0 0 * * * ?', timezone_id: 'UTC' };
      await good(monitor({ ...MONITOR, schedule }));
      const refreshes = async () => (await good(ask('GET', `${UC}/tables/${TABLE}/monitor/refreshes`))).refreshes;
      await bench.jar.clock.advance('3h');
      expect(await refreshes()).toHaveLength(3);
      expect((await refreshes())[0]).toMatchObject({ refresh_id: 3, trigger: 'SCHEDULE' });
      const paused = { ...MONITOR, schedule: { ...schedule, pause_status: 'PAUSED' } };
      expect(await good(ask('PUT', `${UC}/tables/${TABLE}/monitor`, paused))).toMatchObject({ monitor_version: 1 });
      await bench.jar.clock.advance('3h');
      expect(await refreshes()).toHaveLength(3);
    });

    it('a refresh can be cancelled until it ends', async () => {
      await good(monitor());
      const path = `${UC}/tables/${TABLE}/monitor/refreshes`;
      await good(ask('POST', path));
      await good(ask('POST', `${path}/1/cancel`));
      await bench.jar.clock.advance('5m');
      expect((await good(ask('GET', `${path}/1`))).state).toBe('CANCELED');
      expect(refusal(await ask('POST', `${path}/1/cancel`))).toMatchObject({ status: 400, code: 'INVALID_STATE' });
      expect((await ask('GET', `${path}/2`)).status).toBe(404);
    });

    it('invalid monitors are refused, and only managers of a table create one', async () => {
      for (const body of [
        {},
        { ...MONITOR, assets_dir: undefined },
        { ...MONITOR, output_schema_name: undefined },
        { ...MONITOR, snapshot: undefined },
        { ...MONITOR, time_series: { timestamp_col: 'at', granularities: ['1 day'] } },
        {
          assets_dir: '/x',
          output_schema_name: 'main.default',
          time_series: { timestamp_col: 'none', granularities: ['1 day'] },
        },
        { ...MONITOR, schedule: { quartz_cron_expression: 'x', timezone_id: 'UTC' } },
        { ...MONITOR, custom_metrics: [{ type: 'OTHER' }] },
      ])
        expect((await monitor(body)).status, JSON.stringify(body)).toBe(400);
      expect((await monitor({ ...MONITOR, output_schema_name: 'main.missing' })).status).toBe(404);
      expect((await ask('POST', `${UC}/tables/main.default.none/monitor`, MONITOR)).status).toBe(404);
      const other = await person(bench, 'licensed');
      expect((await other('POST', `${UC}/tables/${TABLE}/monitor`, MONITOR)).status).toBe(403);
      await good(monitor());
      expect(refusal(await monitor())).toMatchObject({ status: 400, code: 'RESOURCE_ALREADY_EXISTS' });
      expect((await other('GET', `${UC}/tables/${TABLE}/monitor`)).status).toBe(403);
    });

    it('a monitor is removed with its table, and leaves its metrics if only the monitor is deleted', async () => {
      const used = async () =>
        (await good(ask('GET', '/platform/limits?resource=Data monitoring'))).limits?.[0]?.use?.[0]?.used ?? 0;
      await good(monitor());
      expect(await used()).toBe(1);
      await good(ask('DELETE', `${UC}/tables/${TABLE}/monitor`));
      expect((await ask('GET', `${UC}/tables/${TABLE}/monitor`)).status).toBe(404);
      await good(ask('GET', `${UC}/tables/main.default.orders_profile_metrics`));
      await good(monitor());
      await good(ask('DELETE', `${UC}/tables/${TABLE}`));
      expect(await used()).toBe(0);
    });

    it('the newer API has the same monitors, and those of schemas', async () => {
      const { schema_id: schema } = await good(ask('GET', `${UC}/schemas/main.default`));
      const config = { output_schema_id: schema, snapshot: {} };
      const made = await good(
        ask('POST', NEW, { object_type: 'table', object_id: table.table_id, data_profiling_config: config }),
      );
      expect(made).toMatchObject({
        object_type: 'table',
        object_id: table.table_id,
        data_profiling_config: { status: 'DATA_PROFILING_STATUS_PENDING', monitored_table_name: TABLE },
      });
      expect((await good(ask('GET', `${UC}/tables/${TABLE}/monitor`))).status).toBe('MONITOR_STATUS_PENDING');
      await good(ask('POST', NEW, { object_type: 'schema', object_id: schema, anomaly_detection_config: {} }));
      const { monitors } = await good(ask('GET', NEW));
      expect(monitors.map((each: { object_type: string }) => each.object_type).toSorted()).toEqual(['schema', 'table']);
      const one = `${NEW}/table/${table.table_id}`;
      const refresh = await good(ask('POST', `${one}/refreshes`));
      expect(refresh).toMatchObject({
        state: 'MONITOR_REFRESH_STATE_PENDING',
        trigger: 'MONITOR_REFRESH_TRIGGER_MANUAL',
      });
      await bench.jar.clock.advance('3m');
      expect((await good(ask('GET', `${one}/refreshes`))).refreshes[0].state).toBe('MONITOR_REFRESH_STATE_SUCCESS');
      await good(ask('PATCH', one, { data_profiling_config: { ...config, slicing_exprs: ['id > 1'] } }));
      expect((await good(ask('GET', one))).data_profiling_config.slicing_exprs).toEqual(['id > 1']);
      await good(ask('DELETE', one));
      expect((await ask('GET', one)).status).toBe(404);
      expect((await ask('GET', `${NEW}/view/${table.table_id}`)).status).toBe(400);
      expect((await ask('GET', `${NEW}/schema/${table.table_id}`)).status).toBe(404);
    });

    it('a mask changes a part of a monitor, and leaves the rest', async () => {
      const { schema_id: output_schema_id } = await good(ask('GET', `${UC}/schemas/main.default`));
      const schedule = { quartz_cron_expression: '0 0 * * * ?', timezone_id: 'UTC' };
      const data_profiling_config = { output_schema_id, snapshot: {}, schedule, slicing_exprs: ['id > 1'] };
      await good(ask('POST', NEW, { object_type: 'table', object_id: table.table_id, data_profiling_config }));
      const one = `${NEW}/table/${table.table_id}`;
      const change = (mask: string, config: object) =>
        ask('PATCH', `${one}?update_mask=${mask}`, { data_profiling_config: config });
      const read = async () => (await good(ask('GET', one))).data_profiling_config;
      await good(change('data_profiling_config.slicing_exprs', { slicing_exprs: ['id > 2'], snapshot: undefined }));
      expect(await read()).toMatchObject({ snapshot: {}, schedule, slicing_exprs: ['id > 2'] });
      const pause_status = 'CRON_SCHEDULE_PAUSE_STATUS_PAUSED';
      await good(change('data_profiling_config.schedule.pause_status', { schedule: { pause_status } }));
      expect((await read()).schedule).toEqual({ ...schedule, pause_status });
      expect((await good(ask('GET', `${UC}/tables/${TABLE}/monitor`))).schedule.pause_status).toBe('PAUSED');
      await good(change('data_profiling_config.schedule', {}));
      expect(await read()).not.toHaveProperty('schedule');
      const time_series = { timestamp_column: 'at', granularities: ['AGGREGATION_GRANULARITY_1_DAY'] };
      await good(change('data_profiling_config.time_series', { time_series }));
      expect(await read()).toMatchObject({ time_series, slicing_exprs: ['id > 2'], output_schema_id });
      expect(await read()).not.toHaveProperty('snapshot');
      expect(refusal(await change('data_profiling_config.colour', {}))).toMatchObject({ status: 400 });
      expect(refusal(await change('*', { snapshot: {} }))).toMatchObject({
        status: 400,
        message: expect.stringContaining('data_profiling_config.output_schema_id'),
      });
    });

    it('both APIs show a configuration with their own names', async () => {
      const { schema_id: output_schema_id } = await good(ask('GET', `${UC}/schemas/main.default`));
      const inference_log = {
        problem_type: 'INFERENCE_PROBLEM_TYPE_REGRESSION',
        timestamp_column: 'at',
        granularities: ['AGGREGATION_GRANULARITY_30_MINUTES', 'AGGREGATION_GRANULARITY_2_WEEKS'],
        prediction_column: 'item',
        model_id_column: 'id',
      };
      const metric = { name: 'm', input_columns: ['id'], definition: 'max(id)', output_data_type: 'long' };
      const data_profiling_config = {
        output_schema_id,
        inference_log,
        custom_metrics: [{ ...metric, type: 'DATA_PROFILING_CUSTOM_METRIC_TYPE_AGGREGATE' }],
        notification_settings: { on_failure: { email_addresses: ['admin@vendor.example'] } },
      };
      const body = { object_type: 'table', object_id: table.table_id, data_profiling_config };
      expect((await good(ask('POST', NEW, body))).data_profiling_config).toMatchObject(data_profiling_config);
      const old = await good(ask('GET', `${UC}/tables/${TABLE}/monitor`));
      expect(old).toMatchObject({
        inference_log: {
          problem_type: 'PROBLEM_TYPE_REGRESSION',
          timestamp_col: 'at',
          granularities: ['30 minutes', '2 weeks'],
          prediction_col: 'item',
          model_id_col: 'id',
        },
        custom_metrics: [{ ...metric, type: 'CUSTOM_METRIC_TYPE_AGGREGATE' }],
        notifications: { on_failure: { email_addresses: ['admin@vendor.example'] } },
      });
    });

    it('a monitor that is created while its table is dropped is removed with the table', async () => {
      const { schema_id: output_schema_id } = await good(ask('GET', `${UC}/schemas/main.default`));
      const body = (object_id: string) => ({
        object_type: 'table',
        object_id,
        data_profiling_config: { output_schema_id, snapshot: {} },
      });
      for (let round = 0; round < 5; round++) {
        const { table_id } = await good(
          ask('POST', `${UC}/tables`, {
            catalog_name: 'main',
            schema_name: 'default',
            name: 'passing',
            table_type: 'EXTERNAL',
            data_source_format: 'DELTA',
            storage_location: 'abfss://lake@vendor.example/passing',
            columns: [{ name: 'id', type_name: 'LONG' }],
          }),
        );
        await Promise.all([
          ask('POST', NEW, body(table_id)),
          good(ask('DELETE', `${UC}/tables/main.default.passing`)),
          ask('POST', NEW, body(table_id)),
        ]);
        const { value } = await good(control(bench, 'GET', 'limits?name=platform.monitors'));
        expect(value[0].use.map(({ used }: { used: number }) => used).filter((used: number) => used > 0)).toEqual([]);
      }
    });

    it('a page without a visible monitor is skipped', async () => {
      const { schema_id: output_schema_id } = await good(ask('GET', `${UC}/schemas/main.default`));
      await good(monitor());
      const data_profiling_config = { output_schema_id, snapshot: {} };
      const { table_id: object_id } = await good(
        ask('POST', `${UC}/tables`, {
          catalog_name: 'main',
          schema_name: 'default',
          name: 'shared',
          table_type: 'EXTERNAL',
          data_source_format: 'DELTA',
          storage_location: 'abfss://lake@vendor.example/shared',
          columns: [{ name: 'id', type_name: 'LONG' }],
        }),
      );
      await bench.jar.clock.advance('1s');
      await good(ask('POST', NEW, { object_type: 'table', object_id, data_profiling_config }));
      const grant = (type: string, name: string, ...add: string[]) =>
        good(
          ask('PATCH', `${UC}/permissions/${type}/${name}`, {
            changes: [{ principal: 'licensed@vendor.example', add }],
          }),
        );
      await grant('catalog', 'main', 'USE_CATALOG');
      await grant('schema', 'main.default', 'USE_SCHEMA');
      await grant('table', 'main.default.shared', 'SELECT');
      const other = await person(bench, 'licensed');
      const { monitors } = await good(other('GET', `${NEW}?page_size=1`));
      expect(monitors).toMatchObject([{ object_id }]);
    });

    it('a dashboard is created in the folder of the monitor', async () => {
      await good(monitor());
      const path = `/api/2.1/quality-monitoring/tables/${TABLE}/monitor/dashboard`;
      const { dashboard_id: id } = await good(ask('POST', path, {}));
      expect(await good(ask('GET', `/lakeview/dashboards/${id}`))).toMatchObject({ parent_path: '/Shared' });
      expect((await good(ask('GET', `${UC}/tables/${TABLE}/monitor`))).dashboard_id).toBe(id);
    });
  },
  { services: [...SERVICES, probe.service] },
);
