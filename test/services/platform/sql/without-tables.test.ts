import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { createJob, getRun, runNow } from '../jobs/support.ts';
import { type Ask, control, good, person, REAL_TIMES, withoutRates } from '../support.ts';

onAnyStore(
  'data platform: queries without tables',
  (bench) => {
    let ask: Ask;
    let warehouse_id: string;
    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
      warehouse_id = (await good(ask('POST', '/sql/warehouses', { name: 'w', cluster_size: '2X-Small' }))).id;
      await bench.jar.clock.advance('10m');
    });

    const give = (result: object) => good(control(bench, 'PUT', 'platform/query-results', result));
    const alertOn = async (query_text: string) => {
      const { id } = await good(
        ask('POST', '/alerts', {
          display_name: query_text,
          warehouse_id,
          query_text,
          evaluation: {
            source: { name: 'late' },
            comparison_operator: 'GREATER_THAN',
            threshold: { value: { double_value: 5 } },
          },
          schedule: { quartz_cron_schedule: '0 0 * * * ?', timezone_id: 'UTC', pause_status: 'PAUSED' },
        }),
      );
      return id as string;
    };
    const evaluated = async (query_text: string) =>
      good(control(bench, 'POST', `platform/alerts/${await alertOn(query_text)}/evaluate`, {}));
    const executed = (statement: string) =>
      good(ask('POST', '/sql/statements', { statement, warehouse_id, wait_timeout: '30s' }));

    async function ran(sql_task: object, during = async () => {}) {
      const job = await createJob(ask, {
        name: 'SQL',
        tasks: [{ task_key: 'a', sql_task: { warehouse_id, ...sql_task } }],
      });
      const run_id = await runNow(ask, job);
      await during();
      await bench.jar.clock.advance('10m');
      const run = await getRun(ask, run_id);
      const output = await good(ask('GET', `/jobs/runs/get-output?run_id=${run.tasks[0].run_id}`));
      return { state: run.state, task: run.tasks[0], output };
    }
    const query = async (fields: object): Promise<string> =>
      (await good(ask('POST', '/sql/queries', { query: { display_name: 'Q', warehouse_id, ...fields } }))).id;

    it('an alert is decided by the computed result of its query, unless a result is set', async () => {
      expect(await evaluated('SELECT sum(id) AS late FROM range(5)')).toMatchObject({ state: 'TRIGGERED' });
      expect(await evaluated('SELECT 5 AS late')).toMatchObject({ state: 'OK' });
      expect(await evaluated('SELECT 1 / 0 AS late')).toMatchObject({
        state: 'ERROR',
        problem: expect.stringContaining('DIVIDE_BY_ZERO'),
      });
      expect(await evaluated('SELECT count(*) AS late FROM range(10000000)')).toMatchObject({
        state: 'ERROR',
        problem: expect.stringContaining('RESOURCE_EXHAUSTED'),
      });
      for (const unknown of [
        'SELECT late FROM orders',
        'SELECT some_function(1) AS late',
        'SELECT late FROM a QUALIFY 1',
      ])
        expect(await evaluated(unknown)).toMatchObject({ state: 'UNKNOWN' });
      await give({ statement: 'SELECT 4 AS late', columns: ['late'], rows: [[6]] });
      expect(await evaluated('SELECT  4 AS late;')).toMatchObject({ state: 'TRIGGERED' });
    });

    it('a statement gives the result that is set for its text, with types, or its error', async () => {
      await give({
        statement: 'SELECT * FROM orders',
        columns: ['n', 'part', 'ok', 'text', 'nothing'],
        rows: [
          [1, 1, true, 'a', null],
          [2, 0.5, null, null, null],
        ],
      });
      const { status, manifest, result } = await executed('SELECT *\nFROM orders;');
      expect(status).toEqual({ state: 'SUCCEEDED' });
      expect(manifest.schema.columns.map((column: { type_name: string }) => column.type_name)).toEqual([
        'LONG',
        'DOUBLE',
        'BOOLEAN',
        'STRING',
        'STRING',
      ]);
      expect(result.data_array).toEqual([
        ['1', '1.0', 'true', 'a', null],
        ['2', '0.5', null, null, null],
      ]);
      await give({ statement: 'SELECT 1', error: '[INSUFFICIENT_PERMISSIONS] No. SQLSTATE: 42501' });
      expect((await executed('SELECT 1')).status).toEqual({
        state: 'FAILED',
        error: { error_code: 'BAD_REQUEST', message: '[INSUFFICIENT_PERMISSIONS] No. SQLSTATE: 42501' },
        sql_state: '42501',
      });
      expect((await executed('SELECT * FROM others')).status).toMatchObject({ state: 'FAILED', sql_state: '42P01' });
    });

    it('a SQL task fills the parameters of its query in, and starts its warehouse', async () => {
      await good(ask('POST', `/sql/warehouses/${warehouse_id}/stop`));
      await bench.jar.clock.advance('10m');
      const parameters = [
        { name: 'n', title: 'n', numeric_value: { value: 2 } },
        { name: 'who', title: 'who', text_value: { value: 'nobody' } },
        { name: 'size', title: 'size', enum_value: { enum_options: '7\n8', values: ['7'] } },
      ];
      const query_text =
        "SELECT :n * 2 AS twice, concat(:who, '!') AS who, {{ size }} + 1 AS size, current_schema() AS s";
      const query_id = await query({ query_text, parameters, schema: 'sales' });
      const states: string[] = [];
      const during = async () => {
        await bench.jar.clock.advance('12s');
        states.push((await good(ask('GET', `/sql/warehouses/${warehouse_id}`))).state);
      };
      const { state, task } = await ran({ query: { query_id }, parameters: { n: '4', who: 'ada' } }, during);
      expect(state).toMatchObject({ result_state: 'SUCCESS' });
      expect(states).toEqual(['STARTING']);
      expect(task.state).toMatchObject({ result_state: 'SUCCESS' });
      const referring = await createJob(ask, {
        name: 'Refers',
        tasks: [
          { task_key: 'q', sql_task: { warehouse_id, query: { query_id }, parameters: { n: '4', who: 'ada' } } },
          {
            task_key: 'c',
            depends_on: [{ task_key: 'q' }],
            condition_task: {
              op: 'EQUAL_TO',
              left: '{{tasks.q.output.first_row.twice}} {{tasks.q.output.first_row.who}} {{tasks.q.output.first_row.size}} {{tasks.q.output.first_row.s}}',
              right: '8 ada! 8 sales',
            },
          },
        ],
      });
      const run_id = await runNow(ask, referring);
      await bench.jar.clock.advance('10m');
      const { tasks } = await getRun(ask, run_id);
      expect(tasks.find(({ task_key }: { task_key: string }) => task_key === 'c').condition_task).toMatchObject({
        outcome: 'true',
      });
    });

    it('a SQL task fails where its query does, and without a warehouse', async () => {
      const query_id = await query({ query_text: 'SELECT :missing' });
      const unbound = await ran({ query: { query_id } });
      expect(unbound.state).toMatchObject({ result_state: 'FAILED' });
      expect(unbound.output.error).toContain('UNBOUND_SQL_PARAMETER');
      const gone = await ran({ query: { query_id }, warehouse_id: '0123456789abcdef' });
      expect(gone.state).toMatchObject({ result_state: 'FAILED' });
      expect(gone.output.error).toBe('The SQL warehouse 0123456789abcdef does not exist.');
    });
  },
  { clock: 'virtual', ...REAL_TIMES },
);
