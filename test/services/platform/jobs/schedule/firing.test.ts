import { beforeEach, expect, it } from 'vitest';
import { FIRE_JOB, fireId } from '../../../../../src/services/platform/jobs/schedule/work.ts';
import { SERVICES } from '../../../../../src/services.ts';
import { JarProbe } from '../../../../support/jar-probe.ts';
import { onAnyStore } from '../../../../support/jars.ts';
import { type Ask, control, good, person } from '../../support.ts';
import { createJob, getRun, JOBS, runsOf, task, withoutRates } from '../support.ts';

const START = '2026-03-02T08:30:00Z';
const HOURLY = { quartz_cron_expression: '0 0 * * * ?', timezone_id: 'Europe/Berlin' };

const probe = new JarProbe();

interface ShownRun {
  readonly run_id: number;
  readonly start_time: number;
  readonly trigger: string;
  readonly state: { readonly life_cycle_state: string };
}

onAnyStore(
  'data platform: schedules of jobs',
  (bench) => {
    let ask: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
    });

    /** Minutes since the start of the test, oldest first. */
    async function startsOf(job_id: number): Promise<number[]> {
      const found: ShownRun[] = [];
      let token = '';
      do {
        const page = await good(ask('GET', `${JOBS}/runs/list?job_id=${job_id}&page_token=${token}`));
        found.push(...(page.runs ?? []));
        token = page.next_page_token ?? '';
      } while (token !== '');
      return found.map(({ start_time }) => (start_time - Date.parse(START)) / 60_000).sort((one, other) => one - other);
    }

    const change = (job_id: number, new_settings: object) =>
      good(ask('POST', `${JOBS}/update`, { job_id, new_settings }));

    it('a job runs every hour for a day, pauses, goes on, and ends with its deletion', async () => {
      const job_id = await createJob(ask, { name: 'hourly', tasks: [task('a', 'sleep 60')], schedule: HOURLY });
      await bench.jar.clock.advance('24h');
      const starts = await startsOf(job_id);
      expect(starts).toEqual(Array.from({ length: 24 }, (_, hour) => 30 + hour * 60));
      const [latest] = await runsOf(ask, job_id);
      expect(latest).toMatchObject({ trigger: 'PERIODIC', run_type: 'JOB_RUN', number_in_job: 24, run_name: 'hourly' });
      expect(await getRun(ask, latest.run_id)).toMatchObject({ schedule: HOURLY, state: { result_state: 'SUCCESS' } });
      await change(job_id, { schedule: { ...HOURLY, pause_status: 'PAUSED' } });
      await bench.jar.clock.advance('5h');
      expect(await startsOf(job_id)).toHaveLength(24);
      await change(job_id, { schedule: { ...HOURLY, quartz_cron_expression: '0 15 0/2 * * ?' } });
      await bench.jar.clock.advance('4h');
      expect((await startsOf(job_id)).slice(24)).toEqual([31, 33].map((hour) => hour * 60 - 15));
      await good(ask('POST', `${JOBS}/update`, { job_id, fields_to_remove: ['schedule'] }));
      await bench.jar.clock.advance('4h');
      expect(await startsOf(job_id)).toHaveLength(26);
      await change(job_id, { schedule: HOURLY });
      await good(ask('POST', `${JOBS}/delete`, { job_id }));
      await bench.jar.clock.advance('4h');
      expect(await startsOf(job_id)).toHaveLength(26);
    });

    it('a periodic trigger keeps its rhythm when other settings change', async () => {
      const job_id = await createJob(ask, {
        tasks: [task('a', 'true')],
        trigger: { periodic: { interval: 2, unit: 'HOURS' } },
      });
      await bench.jar.clock.advance('90m');
      await change(job_id, { description: 'changed' });
      await bench.jar.clock.advance('150m');
      expect(await startsOf(job_id)).toEqual([120, 240]);
      await change(job_id, { trigger: { periodic: { interval: 2, unit: 'HOURS' }, pause_status: 'PAUSED' } });
      await bench.jar.clock.advance('1d');
      expect(await startsOf(job_id)).toHaveLength(2);
    });

    it('a firing while a run is active is skipped, or waits in the queue', async () => {
      const settings = { tasks: [task('a', 'sleep 5400')], schedule: HOURLY };
      const skipping = await createJob(ask, settings);
      const queueing = await createJob(ask, { ...settings, queue: { enabled: true } });
      await bench.jar.clock.advance('100m');
      const states = async (job_id: number) =>
        (await runsOf(ask, job_id)).map(({ state }: ShownRun) => state.life_cycle_state).sort();
      expect(await states(skipping)).toEqual(['RUNNING', 'SKIPPED']);
      expect(await states(queueing)).toEqual(['QUEUED', 'RUNNING']);
    });

    it('a query decides whether a schedule fires: by its rows, or by a change of its result', async () => {
      const query = { query_text: 'SELECT count(*) FROM late', warehouse_id: 'w' };
      const { id: queryId } = await good(ask('POST', '/sql/queries', { query }));
      const on = (more: object = {}) =>
        createJob(ask, {
          tasks: [task('a', 'true')],
          schedule: { ...HOURLY, sql_condition: { sql_query_id: queryId, warehouse_id: 'w', ...more } },
        });
      const rows = await on();
      const changes = await on({ trigger_mode: 'RESULT_VALUE_CHANGES' });
      const gives = (found: readonly number[]) =>
        good(
          control(bench, 'PUT', 'platform/query-results', {
            queryId,
            columns: ['n'],
            rows: found.map((each) => [each]),
          }),
        );
      await bench.jar.clock.advance('1h');
      expect([await startsOf(rows), await startsOf(changes)]).toEqual([[], []]);
      await gives([1]);
      await bench.jar.clock.advance('2h');
      expect([await startsOf(rows), await startsOf(changes)]).toEqual([[90, 150], [90]]);
      await gives([2]);
      await bench.jar.clock.advance('1h');
      await gives([]);
      await bench.jar.clock.advance('2h');
      expect([await startsOf(rows), await startsOf(changes)]).toEqual([
        [90, 150, 210],
        [90, 210, 270],
      ]);
    });

    it('firings that were missed while the jar was down are one, and the next is in the future', async () => {
      const made = await ask('POST', `${JOBS}/create`, { tasks: [task('a', 'true')], schedule: HOURLY });
      const { job_id } = made.body;
      const key = `${made.headers.get('x-databricks-org-id')}/${job_id}`;
      const { store, clock } = probe.jar;
      // The item as found by a jar that was down for seven hours.
      await store.transact(async (tx) => {
        await tx.schedule(FIRE_JOB.at(clock.now() - 7 * 3_600_000, { key }, fireId(key)));
      });
      await bench.jar.settled();
      expect(await startsOf(job_id)).toEqual([0]);
      await bench.jar.clock.advance('2h');
      expect(await startsOf(job_id)).toEqual([0, 30, 90]);
    });

    it('a continuous job has always one run, and backs off while it fails', async () => {
      const job_id = await createJob(ask, { tasks: [task('a', 'sleep 50')], continuous: {} });
      await bench.jar.settled();
      await bench.jar.clock.advance('150s');
      expect(await startsOf(job_id)).toEqual([0, 1, 2]);
      const [latest] = await runsOf(ask, job_id);
      expect(latest).toMatchObject({ trigger: 'CONTINUOUS', state: { life_cycle_state: 'RUNNING' } });
      await change(job_id, { tasks: [task('a', 'exit 1')] });
      // The active run still succeeds at 170 s; the next runs fail immediately: after 10 s, then 1, 2, 4 and 8 minutes.
      await bench.jar.clock.advance('16m');
      expect((await startsOf(job_id)).slice(3)).toEqual([3, 4, 6, 10, 18]);
      await change(job_id, { continuous: { pause_status: 'PAUSED' } });
      await bench.jar.clock.advance('1d');
      expect(await startsOf(job_id)).toHaveLength(8);
      await change(job_id, { continuous: { pause_status: 'UNPAUSED' }, tasks: [task('a', 'sleep 86400')] });
      await bench.jar.settled();
      expect(await startsOf(job_id)).toHaveLength(9);
      // A call finds the only place taken.
      await good(ask('POST', `${JOBS}/run-now`, { job_id }));
      await bench.jar.clock.advance('1h');
      expect(await runsOf(ask, job_id, '&active_only=true')).toHaveLength(1);
    });
  },
  { clockStart: START, services: [...SERVICES, probe.service] },
);
