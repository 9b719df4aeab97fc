import { beforeEach, expect, it } from 'vitest';
import { SERVICES } from '../../../../../src/services.ts';
import { JarProbe } from '../../../../support/jar-probe.ts';
import { onBothStores } from '../../../../support/jars.ts';
import { granting, type People, people, UC } from '../../catalog/people.ts';
import { makeTable, writeTable } from '../../catalog/tables/table-writer.ts';
import { type Ask, good, refusal } from '../../support.ts';
import { createJob, getRun, JOBS, runsOf, task } from '../support.ts';

const START = '2026-03-02T08:30:00Z';
const ML = '/mlflow/unity-catalog/model-versions';
const probe = new JarProbe();

interface ShownRun {
  readonly run_id: number;
  readonly start_time: number;
  readonly trigger: string;
}

onBothStores(
  'data platform: jobs that wait for tables and models',
  (bench) => {
    let given: People;
    let ask: Ask;

    beforeEach(async () => {
      given = await people(bench);
      ({ ask } = given);
    });

    const advance = (by: string) => bench.jar.clock.advance(by);

    /** Seconds since the start of the test, oldest first. */
    async function startsOf(job_id: number, by: Ask = ask, trigger = 'TABLE'): Promise<readonly number[]> {
      const runs: readonly ShownRun[] = await runsOf(by, job_id);
      expect(runs.every((run) => run.trigger === trigger)).toBe(true);
      return runs.map(({ start_time }) => (start_time - Date.parse(START)) / 1000).sort((one, other) => one - other);
    }

    const waiting = (table_update: object, more: object = {}, by: Ask = ask) =>
      createJob(by, { tasks: [task('a', 'true')], trigger: { table_update, ...more } });

    const watching = (model: object, by: Ask = ask) =>
      createJob(by, { tasks: [task('a', 'true')], trigger: { model } });

    it('a commit starts one run of every job that waits for the table, with what it has seen', async () => {
      const { table_id: orders } = await makeTable(ask, 'main.default.orders');
      const { table_id: items } = await makeTable(ask, 'main.default.items');
      const condition = (left: string, right: string) => ({ condition_task: { op: 'EQUAL_TO', left, right } });
      const area = '{{job.trigger.table_update';
      const any = await createJob(ask, {
        trigger: { table_update: { table_names: ['Main.default.orders', 'main.default.items'] } },
        tasks: [
          { task_key: 'names', ...condition(`${area}.updated_tables}}`, '["main.default.orders"]') },
          { task_key: 'version', ...condition(`${area}.main.default.orders.version}}`, '2') },
          {
            task_key: 'time',
            ...condition(`${area}.main.default.orders.commit_timestamp.iso_datetime}}`, '2026-03-02T08:40:00'),
          },
        ],
      });
      const all = await waiting({
        table_names: ['main.default.orders', 'main.default.items'],
        condition: 'ALL_UPDATED',
      });
      const other = await waiting({ table_names: ['main.other.orders'] });
      await advance('10m');
      await writeTable(probe, orders, [[1n]]);
      await writeTable(probe, orders, [[2n]]);
      expect(await good(ask('GET', `${JOBS}/get?job_id=${all}&include_trigger_state=true`))).toMatchObject({
        trigger_state: {
          table: {
            last_seen_table_states: [
              { table_name: 'main.default.orders', has_seen_updates: true },
              { table_name: 'main.default.items', has_seen_updates: false },
            ],
          },
        },
      });
      await advance('5m');
      expect(await startsOf(any)).toEqual([660]);
      expect(await startsOf(all)).toEqual([]);
      const [run] = await runsOf(ask, any);
      const { tasks } = await getRun(ask, run.run_id);
      expect(
        tasks.map((each: { condition_task: { outcome: string } }) => each.condition_task.outcome),
        JSON.stringify(tasks),
      ).toEqual(['true', 'true', 'true']);
      await writeTable(probe, items, [[1n]], { overwrite: true });
      await advance('5m');
      expect([await startsOf(any), await startsOf(all), await startsOf(other)]).toEqual([[660, 960], [960], []]);
    });

    it('waits count on the clock; paused, changed and deleted triggers, and changes of the columns alone, start nothing', async () => {
      const { table_id: orders } = await makeTable(ask, 'main.default.orders');
      const names = { table_names: ['main.default.orders'] };
      const settled = await waiting({ ...names, wait_after_last_change_seconds: 120 });
      const rare = await waiting({ ...names, min_time_between_triggers_seconds: 600 });
      const paused = await waiting(names, { pause_status: 'PAUSED' });
      const several = await createJob(ask, {
        tasks: [task('a', 'true')],
        triggers: [{ table_update: { table_names: ['main.default.none'] } }, { table: names }],
      });
      for (let index = 0; index < 5; index++) {
        await writeTable(probe, orders, [[BigInt(index)]]);
        await advance('90s');
      }
      await advance('20m');
      expect(await startsOf(settled)).toEqual([480]);
      expect(await startsOf(rare)).toEqual([60, 660]);
      expect(await startsOf(paused)).toEqual([]);
      expect(await startsOf(several)).toEqual([60, 120, 240, 300, 420]);
      await writeTable(probe, orders, []);
      await writeTable(probe, orders, [[7n]]);
      await good(ask('POST', `${JOBS}/delete`, { job_id: several }));
      await good(
        ask('POST', `${JOBS}/update`, {
          job_id: rare,
          new_settings: { trigger: { table_update: { table_names: ['main.default.other'] } } },
        }),
      );
      await advance('30m');
      expect(await startsOf(rare)).toEqual([60, 660]);
      expect((await startsOf(several)).length).toBe(5);
      expect((await startsOf(settled)).length).toBe(2);
      await writeTable(probe, orders, []);
      await advance('30m');
      expect((await startsOf(settled)).length).toBe(2);
    });

    it('a job waits for what the identity of its runs may read, in the metastore of its workspace', async () => {
      const { table_id: secret } = await makeTable(ask, 'main.default.secret');
      const job = await waiting({ table_names: ['main.default.secret'] }, {}, given.other);
      await writeTable(probe, secret, [[1n]]);
      await advance('5m');
      expect(await startsOf(job, given.other)).toEqual([]);
      await granting(given, 'table', 'main.default.secret', ['SELECT']);
      await writeTable(probe, secret, [[2n]]);
      await advance('5m');
      expect(await startsOf(job, given.other)).toEqual([360]);
      const second = await good(ask('POST', `${UC}/metastores`, { name: 'second', region: 'westus2' }));
      const { workspace_id: workspace } = await good(ask('GET', `${UC}/current-metastore-assignment`));
      const assigned = { metastore_id: second.metastore_id, default_catalog_name: 'main' };
      await good(ask('PUT', `${UC}/workspaces/${workspace}/metastore`, assigned));
      await writeTable(probe, secret, [[3n]]);
      await advance('5m');
      expect(await startsOf(job, given.other)).toEqual([360]);
    });

    it('models: created, with a version that is ready, with an alias', async () => {
      const created = await watching({ condition: 'MODEL_CREATED', securable_name: 'main.default' });
      const ready = await watching({ condition: 'MODEL_VERSION_READY', securable_name: 'main.default.churn' });
      const champion = await watching({ condition: 'MODEL_ALIAS_SET', aliases: ['Champion'] });
      const anyAlias = await watching({ condition: 'MODEL_ALIAS_SET', securable_name: 'main' });
      const unseen = await watching({ condition: 'MODEL_CREATED' }, given.other);
      const jobs = [created, ready, champion, anyAlias, unseen] as const;
      const counts = async () => {
        await advance('2m');
        return Promise.all(
          jobs.map(async (job) => (await startsOf(job, job === unseen ? given.other : ask, 'MODEL')).length),
        );
      };
      const model = { catalog_name: 'main', schema_name: 'default', name: 'churn' };
      await good(ask('POST', `${UC}/models`, model));
      expect(await counts()).toEqual([1, 0, 0, 0, 0]);
      await good(ask('POST', `${ML}/create`, { name: 'main.default.churn', source: 's' }));
      expect(await counts()).toEqual([1, 0, 0, 0, 0]);
      await good(ask('POST', `${ML}/finalize`, { name: 'main.default.churn', version: '1' }));
      expect(await counts()).toEqual([1, 1, 0, 0, 0]);
      const setAlias = (alias: string) =>
        good(ask('PUT', `${UC}/models/main.default.churn/aliases/${alias}`, { version_num: 1 }));
      await setAlias('blue');
      expect(await counts()).toEqual([1, 1, 0, 1, 0]);
      await setAlias('champion');
      expect(await counts()).toEqual([1, 1, 1, 2, 0]);
    });

    it.each<[string, object, RegExp]>([
      ['no tables', { table_update: {} }, /Missing required field: trigger.table_update.table_names/],
      ['a name of two parts', { table_update: { table_names: ['a.b'] } }, /'a.b' is not the full name of a table/],
      ['eleven tables', { table_update: { table_names: Array(11).fill('a.b.c') } }, /at most 10/],
      [
        'a wait of less than a minute',
        { table_update: { table_names: ['a.b.c'], min_time_between_triggers_seconds: 59 } },
        /at least 60/,
      ],
      ['an unknown condition', { table_update: { table_names: ['a.b.c'], condition: 'X' } }, /ANY_UPDATED/],
      ['a model without a condition', { model: {} }, /Missing required field: trigger.model.condition/],
      [
        'a model of four parts',
        { model: { condition: 'MODEL_CREATED', securable_name: 'a.b.c.d' } },
        /not the full name/,
      ],
      [
        'aliases of another condition',
        { model: { condition: 'MODEL_CREATED', aliases: ['a'] } },
        /only be given with the condition MODEL_ALIAS_SET/,
      ],
    ])('%s is refused', async (_what, trigger, message) => {
      const answer = await ask('POST', `${JOBS}/create`, { tasks: [task('a')], trigger });
      expect(refusal(answer)).toMatchObject({ status: 400, message: expect.stringMatching(message) });
    });
  },
  { clockStart: START, services: [...SERVICES, probe.service] },
);
