import { WorkspaceClient } from '@databricks/sdk-experimental';
import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { createJob, getRun, runNow } from '../jobs/support.ts';
import { type Ask, control, good, person, withoutRates } from '../support.ts';

onAnyStore(
  'data platform: SQL tasks of jobs',
  (bench) => {
    let ask: Ask;
    let me: string;
    let warehouse_id: string;
    const sql = (task_key: string, settings: object, fields: object = {}) => ({
      task_key,
      sql_task: { warehouse_id, ...settings },
      ...fields,
    });
    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
      me = (await good(ask('GET', '/preview/scim/v2/Me'))).userName;
      warehouse_id = (await good(ask('POST', '/sql/warehouses', { name: 'w', cluster_size: '2X-Small' }))).id;
      const users = [{ group_name: 'users', permission_level: 'CAN_USE' }];
      await good(ask('PATCH', `/permissions/warehouses/${warehouse_id}`, { access_control_list: users }));
      await bench.jar.clock.advance('10m');
    });

    const give = (result: object) => good(control(bench, 'PUT', 'platform/query-results', result));
    const query = async (display_name: string, query_text: string): Promise<string> =>
      (await good(ask('POST', '/sql/queries', { query: { display_name, query_text } }))).id;
    const subjects = async () => {
      await bench.jar.settled();
      return (await bench.jar.mailbox('admin').messages()).map(({ subject }) => subject);
    };

    async function ran(tasks: readonly object[]) {
      const run_id = await runNow(ask, await createJob(ask, { name: 'SQL', tasks }));
      await bench.jar.clock.advance('5m');
      return getRun(ask, run_id);
    }

    const outputOf = (task: { readonly run_id: number }) =>
      good(ask('GET', `/jobs/runs/get-output?run_id=${task.run_id}`));

    it('rows of a query decide a condition and are the inputs of a for-each task', async () => {
      const query_id = await query('Regions', 'SELECT region, n FROM regions');
      await give({
        queryId: query_id,
        columns: ['region', 'n'],
        rows: [
          ['north', 2],
          ['south', 3],
        ],
      });
      const { tasks, state } = await ran([
        sql('q', { query: { query_id } }),
        {
          task_key: 'many',
          depends_on: [{ task_key: 'q' }],
          condition_task: { op: 'GREATER_THAN', left: '{{tasks.q.output.first_row.n}}', right: '1' },
        },
        {
          task_key: 'each',
          depends_on: [{ task_key: 'many', outcome: 'true' }],
          for_each_task: {
            inputs: '{{tasks.q.output.rows}}',
            task: {
              task_key: 'one',
              spark_jar_task: {
                main_class_name: 'A',
                parameters: ['{{input.region}}'],
                cloudjar: 'echo {{input.region}}',
              },
            },
          },
        },
      ]);
      expect(state).toMatchObject({ result_state: 'SUCCESS' });
      expect(tasks.find(({ task_key }: { task_key: string }) => task_key === 'many').condition_task.outcome).toBe(
        'true',
      );
      const each = tasks.find(({ task_key }: { task_key: string }) => task_key === 'each');
      expect(each.for_each_task.stats.task_run_stats).toMatchObject({ succeeded_iterations: 2 });
      const output = await outputOf(tasks[0]);
      expect(output.sql_output.query_output).toEqual({
        query_text: 'SELECT region, n FROM regions',
        warehouse_id,
        endpoint_id: warehouse_id,
        output_link: expect.any(String),
        sql_statements: [{ lookup_key: expect.any(String) }],
      });
      expect(output).not.toHaveProperty('info');
    });

    it('a query that fails, is gone or is not allowed fails its task, which is retried', async () => {
      const query_id = await query('Broken', 'SELECT 1/0');
      await give({ queryId: query_id, error: '[DIVIDE_BY_ZERO] Division by zero.' });
      const { state, tasks } = await ran([sql('q', { query: { query_id } }, { max_retries: 1 })]);
      expect(state).toMatchObject({ result_state: 'FAILED' });
      expect(tasks.map(({ attempt_number }: { attempt_number: number }) => attempt_number)).toEqual([1]);
      expect(await outputOf(tasks[0])).toMatchObject({ error: '[DIVIDE_BY_ZERO] Division by zero.' });
      const gone = await ran([sql('q', { query: { query_id: 'none' } })]);
      expect(gone.tasks[0].state).toMatchObject({ result_state: 'FAILED' });
      expect((await outputOf(gone.tasks[0])).error).toBe("There is no query 'none'.");
      const other = await person(bench, 'licensed');
      const job_id = await createJob(other, { tasks: [sql('q', { query: { query_id } })] });
      const run_id = await runNow(other, job_id);
      await bench.jar.clock.advance('1m');
      const denied = await getRun(other, run_id);
      expect((await outputOf(denied.tasks[0])).error).toContain('does not have CAN_RUN');
    });

    it('the text of a query is for those who may run it', async () => {
      const query_id = await query('Secret', 'SELECT secret');
      const job_id = await createJob(ask, { tasks: [sql('q', { query: { query_id } })] });
      const other = await person(bench, 'licensed');
      const { userName } = await good(other('GET', '/preview/scim/v2/Me'));
      const access_control_list = [{ user_name: userName, permission_level: 'CAN_VIEW' }];
      await good(ask('PATCH', `/permissions/jobs/${job_id}`, { access_control_list }));
      const run_id = await runNow(ask, job_id);
      await bench.jar.clock.advance('1m');
      const read = async () => (await good(other('GET', `/jobs/runs/get-output?run_id=${run_id}`))).sql_output;
      expect((await read()).query_output).not.toHaveProperty('query_text');
      const runs = [{ user_name: userName, permission_level: 'CAN_RUN' }];
      await good(ask('PATCH', `/permissions/queries/${query_id}`, { access_control_list: runs }));
      expect((await read()).query_output).toMatchObject({ query_text: 'SELECT secret' });
    });

    it('the published client runs an alert and a dashboard by a job, and reads their outcomes', async () => {
      const client = new WorkspaceClient({ host: bench.jar.url, token: await bench.jar.token({ ttl: '365d' }) });
      const made = await client.queries.create({
        query: { display_name: 'Q', query_text: 'SELECT late', warehouse_id },
      });
      const query_id = made.id as string;
      const condition = {
        op: 'GREATER_THAN',
        operand: { column: { name: 'late' } },
        threshold: { value: { double_value: 1 } },
      } as const;
      const alert = await client.alerts.create({ alert: { display_name: 'Late', query_id, condition } });
      await give({ queryId: query_id, columns: ['late'], rows: [[2]] });
      const board = await good(ask('POST', '/preview/sql/dashboards', { name: 'Board' }));
      const visualization = { query_id, type: 'CHART', display_name: 'Chart' };
      const { id: visualization_id } = await good(ask('POST', '/sql/visualizations', { visualization }));
      const widget = { dashboard_id: board.id, width: 1, options: {} };
      await good(ask('POST', '/preview/sql/widgets', { ...widget, visualization_id }));
      await good(ask('POST', '/preview/sql/widgets', { ...widget, text: 'Words' }));
      const subscriptions = [{ user_name: me }];
      const { job_id } = await client.jobs.create({
        name: 'Checks',
        tasks: [
          sql('alert', { alert: { alert_id: alert.id, subscriptions } }),
          sql('board', { dashboard: { dashboard_id: board.id, subscriptions, custom_subject: 'Your board' } }),
          sql('quiet', { dashboard: { dashboard_id: board.id, subscriptions, pause_subscriptions: true } }),
        ],
      });
      const { run_id } = await good(ask('POST', '/jobs/run-now', { job_id }));
      await bench.jar.clock.advance('1m');
      const run = await client.jobs.getRun({ run_id });
      expect(run.state?.result_state).toBe('SUCCESS');
      const outputs = [];
      for (const task of run.tasks ?? [])
        outputs.push(await client.jobs.getRunOutput({ run_id: task.run_id as number }));
      expect(outputs.map(({ sql_output }) => sql_output)).toMatchObject([
        { alert_output: { alert_state: 'TRIGGERED', query_text: 'SELECT late', warehouse_id } },
        { dashboard_output: { warehouse_id, widgets: [{ widget_title: 'Chart', status: 'SUCCESS' }] } },
        { dashboard_output: { widgets: [{ status: 'SUCCESS' }] } },
      ]);
      expect((await client.alerts.get({ id: alert.id as string })).state).toBe('TRIGGERED');
      expect((await subjects()).sort()).toEqual(['Alert "Late" changed status to TRIGGERED', 'Your board']);
    });

    it('a file returns the result of its text; tasks of alerts and dashboards of the current kinds run as well', async () => {
      await good(
        ask('POST', '/workspace/import', {
          path: '/Shared/count.sql',
          format: 'RAW',
          content: Buffer.from('SELECT count(*) AS n\nFROM t;\n').toString('base64'),
        }),
      );
      await give({ statement: 'SELECT count(*) AS n FROM t', columns: ['n'], rows: [[4]] });
      const alert = await good(
        ask('POST', '/alerts', {
          display_name: 'Counted',
          query_text: 'SELECT count(*) AS n FROM t',
          warehouse_id,
          evaluation: {
            source: { name: 'n' },
            comparison_operator: 'EQUAL',
            threshold: { value: { double_value: 4 } },
          },
          schedule: { quartz_cron_schedule: '0 0 0 1 1 ?', timezone_id: 'UTC' },
        }),
      );
      const content = JSON.stringify({ datasets: [{ name: 'd', query: 'SELECT count(*) AS n FROM t' }] });
      const { dashboard_id } = await good(
        ask('POST', '/lakeview/dashboards', { display_name: 'L', serialized_dashboard: content }),
      );
      const { state, tasks } = await ran([
        sql('file', { file: { path: '/Shared/count.sql', source: 'WORKSPACE' } }),
        { task_key: 'alert', alert_task: { alert_id: alert.id, warehouse_id, subscribers: [{ user_name: me }] } },
        {
          task_key: 'board',
          dashboard_task: { dashboard_id, subscription: { subscribers: [{ user_name: me }], custom_subject: 'L now' } },
        },
        {
          task_key: 'again',
          depends_on: [{ task_key: 'alert' }],
          condition_task: { op: 'EQUAL_TO', left: '{{tasks.alert.output.alert_state}}', right: 'TRIGGERED' },
        },
        sql('missing', { file: { path: '/Shared/none.sql' } }),
      ]);
      expect(state).toMatchObject({ result_state: 'FAILED' });
      const byKey = Object.fromEntries(tasks.map((task: { task_key: string }) => [task.task_key, task]));
      expect((await outputOf(byKey.file)).sql_output.query_output.query_text).toContain('count(*)');
      expect(await outputOf(byKey.alert)).toMatchObject({ alert_output: { alert_state: 'TRIGGERED' } });
      expect(await outputOf(byKey.board)).toMatchObject({ dashboard_output: {} });
      expect(byKey.again.condition_task.outcome).toBe('true');
      expect((await outputOf(byKey.missing)).error).toContain('does not exist');
      expect((await subjects()).sort()).toEqual(['Alert "Counted" changed status to TRIGGERED', 'L now']);
    });
  },
  { clock: 'virtual' },
);
