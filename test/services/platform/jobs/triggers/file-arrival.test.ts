import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../../support/jars.ts';
import { type Ask, good, person, refusal } from '../../support.ts';
import { createJob, JOBS, task, withoutRates } from '../support.ts';

const START = '2026-03-02T08:30:00Z';

interface ShownRun {
  readonly start_time: number;
  readonly trigger: string;
}

onAnyStore(
  'data platform: jobs that wait for files',
  (bench) => {
    let ask: Ask;

    beforeEach(async () => {
      await bench.jar.reset();
      await withoutRates(bench);
      ask = await person(bench);
    });

    const put = (path: string) => good(ask('POST', '/dbfs/put', { path, contents: 'aGk=', overwrite: true }));

    /** Seconds since the start of the test, oldest first. */
    async function startsOf(job_id: number): Promise<number[]> {
      const { runs = [] } = await good(ask('GET', `${JOBS}/runs/list?job_id=${job_id}`));
      expect(runs.every(({ trigger }: ShownRun) => trigger === 'FILE_ARRIVAL')).toBe(true);
      return runs
        .map(({ start_time }: ShownRun) => (start_time - Date.parse(START)) / 1000)
        .sort((one: number, other: number) => one - other);
    }

    const waiting = (file_arrival: object, more: object = {}) =>
      createJob(ask, { tasks: [task('a', 'true')], trigger: { file_arrival, ...more } });

    it('files that come within a minute start one run; overwritten ones, and those elsewhere, none', async () => {
      await put('/landing/old.csv');
      const job_id = await waiting({ url: 'dbfs:/landing/' });
      await bench.jar.clock.advance('10m');
      expect(await startsOf(job_id)).toEqual([]);
      await put('/landing/deep/a.csv');
      await put('/landing/b.csv');
      await bench.jar.clock.advance('5m');
      expect(await startsOf(job_id)).toEqual([660]);
      await put('/landing/b.csv');
      await put('/landings/c.csv');
      await good(ask('POST', '/dbfs/mkdirs', { path: '/landing/empty' }));
      await bench.jar.clock.advance('5m');
      expect(await startsOf(job_id)).toEqual([660]);
      await good(ask('POST', '/dbfs/move', { source_path: '/landings/c.csv', destination_path: '/landing/c.csv' }));
      await bench.jar.clock.advance('5m');
      expect(await startsOf(job_id)).toEqual([660, 1260]);
      expect(await good(ask('GET', `${JOBS}/get?job_id=${job_id}&include_trigger_state=true`))).toMatchObject({
        settings: { trigger: { file_arrival: { url: 'dbfs:/landing/' }, pause_status: 'UNPAUSED' } },
        trigger_state: { file_arrival: { using_file_events: false } },
      });
      expect(await good(ask('GET', `${JOBS}/get?job_id=${job_id}`))).not.toHaveProperty('trigger_state');
    });

    it('a run waits until no file has come for a while, and for the time since the last run', async () => {
      const settled = await waiting({ url: 'dbfs:/in', wait_after_last_change_seconds: 120 });
      const rare = await waiting({ url: 'dbfs:/in', min_time_between_triggers_seconds: 600 });
      for (let index = 0; index < 5; index++) {
        await put(`/in/${index}`);
        await bench.jar.clock.advance('90s');
      }
      await bench.jar.clock.advance('20m');
      // The last file came after six minutes.
      expect(await startsOf(settled)).toEqual([480]);
      expect(await startsOf(rare)).toEqual([60, 660]);
    });

    it('files of the workspace count, a paused or deleted trigger does not, and several triggers stand side by side', async () => {
      const content = Buffer.from('1').toString('base64');
      const save = (path: string) =>
        good(ask('POST', '/workspace/import', { path, format: 'RAW', content, overwrite: true }));
      const job_id = await waiting({ url: '/Workspace/Shared/in' });
      const both = await createJob(ask, {
        tasks: [task('a', 'true')],
        triggers: [{ file_arrival: { url: '/Shared/in' } }, { file_arrival: { url: 'dbfs:/other' } }],
      });
      await good(ask('POST', '/workspace/mkdirs', { path: '/Shared/in' }));
      await save('/Shared/in/a.txt');
      await bench.jar.clock.advance('2m');
      expect([await startsOf(job_id), await startsOf(both)]).toEqual([[60], [60]]);
      await put('/other/x');
      await bench.jar.clock.advance('2m');
      expect([await startsOf(job_id), await startsOf(both)]).toEqual([[60], [60, 180]]);
      await good(
        ask('POST', `${JOBS}/update`, {
          job_id,
          new_settings: { trigger: { file_arrival: { url: '/Shared/in' }, pause_status: 'PAUSED' } },
        }),
      );
      await save('/Shared/in/b.txt');
      await good(ask('POST', `${JOBS}/delete`, { job_id: both }));
      await bench.jar.clock.advance('5m');
      expect(await startsOf(job_id)).toEqual([60]);
      expect(await startsOf(both)).toEqual([60, 180]);
    });

    it('several periodic triggers fire each in its rhythm', async () => {
      const job_id = await createJob(ask, {
        tasks: [task('a', 'true')],
        triggers: [{ periodic: { interval: 20, unit: 'MINUTES' } }, { periodic: { interval: 30, unit: 'MINUTES' } }],
      });
      await bench.jar.clock.advance('61m');
      const { runs } = await good(ask('GET', `${JOBS}/runs/list?job_id=${job_id}`));
      const minutes = runs.map(({ start_time }: ShownRun) => (start_time - Date.parse(START)) / 60_000);
      expect(minutes).toEqual([60, 50, 30, 10]);
    });

    it.each<[string, object, RegExp]>([
      [
        'a wait of less than a minute',
        { file_arrival: { url: 'x', wait_after_last_change_seconds: 59 } },
        /at least 60/,
      ],
      ['no address', { file_arrival: {} }, /Missing required field: trigger.file_arrival.url/],
      ['two kinds in one', { file_arrival: { url: 'x' }, periodic: { interval: 1, unit: 'DAYS' } }, /exactly one of/],
    ])('%s is refused', async (_what, trigger, message) => {
      const answer = await ask('POST', `${JOBS}/create`, { tasks: [task('a')], trigger });
      expect(refusal(answer)).toMatchObject({ status: 400, message: expect.stringMatching(message) });
    });
  },
  { clockStart: START },
);
