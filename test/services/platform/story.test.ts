import { type jobs, WorkspaceClient } from '@databricks/sdk-experimental';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../support/jars.ts';
import { control, good, person } from './support.ts';

/** Python of which the simulated shell runs what the comments say. */
const EXTRACT = ['# cloudjar: echo "extracting $day"; sleep 120', 'print("extract")'].join('\n');
const TRANSFORM = [
  '# Databricks notebook source',
  '# cloudjar: sleep 60',
  '# cloudjar: [ $CLOUDJAR_ATTEMPT -ge 2 ] || { echo "the source is locked" >&2; exit 1; }',
  `# cloudjar: echo '::cloudjar::value {"key":"rows","value":42}'`,
  'dbutils.jobs.taskValues.set("rows", 42)',
].join('\n');
const REPORT = 'echo "$2 rows"; sleep 30\n';

const HOME = '/Users/admin@vendor.example/nightly';

onBothStores(
  'data platform: a job that runs every hour',
  (bench) => {
    let client: WorkspaceClient;

    beforeEach(async () => {
      await bench.jar.reset();
      const token = await bench.jar.token({ user: 'admin', ttl: '3650d' });
      client = new WorkspaceClient({ host: bench.jar.url, token });
    });

    it('three dependent tasks from files of the workspace run for a day; one fails twice; webhooks report it', async () => {
      const put = (path: string, text: string, format: string, language?: string) =>
        client.workspace.import({
          path: `${HOME}/${path}`,
          content: Buffer.from(text).toString('base64'),
          format: format as never,
          ...(language && { language: language as never }),
        });
      await client.workspace.mkdirs({ path: HOME });
      await put('extract.py', EXTRACT, 'RAW');
      await put('transform', TRANSFORM, 'SOURCE', 'PYTHON');
      await put('report.sh', REPORT, 'RAW');
      const ask = await person(bench);
      const inbox = bench.jar.inbox('jobs');
      const destination = await good(
        ask('POST', '/notification-destinations', {
          display_name: 'On call',
          config: { generic_webhook: { url: inbox.url } },
        }),
      );
      const hook = [{ id: destination.id }];
      const tasks: jobs.Task[] = [
        { task_key: 'extract', spark_python_task: { python_file: `${HOME}/extract.py`, parameters: [] } },
        {
          task_key: 'transform',
          depends_on: [{ task_key: 'extract' }],
          notebook_task: { notebook_path: `${HOME}/transform` },
          max_retries: 3,
          min_retry_interval_millis: 120_000,
          webhook_notifications: { on_failure: hook },
        },
        {
          task_key: 'report',
          depends_on: [{ task_key: 'transform' }],
          spark_python_task: {
            python_file: `${HOME}/report.sh`,
            parameters: ['rows', '{{tasks.transform.values.rows}}'],
          },
        },
      ];
      const { job_id } = await client.jobs.create({
        name: 'Nightly',
        tasks,
        parameters: [{ name: 'day', default: '{{job.start_time.iso_date}}' }],
        schedule: { quartz_cron_expression: '0 0 * * * ?', timezone_id: 'Europe/Berlin' },
        webhook_notifications: { on_start: hook, on_success: hook, on_failure: hook },
      });
      await bench.jar.clock.advance('24h');
      await bench.jar.settled();

      const runs: jobs.BaseRun[] = [];
      for await (const run of client.jobs.listRuns({ job_id: job_id as number, completed_only: true })) runs.push(run);
      expect(runs).toHaveLength(24);
      expect(new Set(runs.map(({ state }) => state?.result_state))).toEqual(new Set(['SUCCESS']));
      expect(new Set(runs.map(({ trigger }) => trigger))).toEqual(new Set(['PERIODIC']));
      // 120 s, three times 60 s, begun 120 s apart, 30 s.
      expect(new Set(runs.map(({ run_duration }) => run_duration))).toEqual(new Set([120_000 + 300_000 + 30_000]));

      const run = await client.jobs.getRun({ run_id: runs[0]?.run_id as number });
      expect(
        run.tasks?.map(({ task_key, attempt_number, state }) => [task_key, attempt_number, state?.result_state]),
      ).toEqual([
        ['extract', 0, 'SUCCESS'],
        ['transform', 2, 'SUCCESS'],
        ['report', 0, 'SUCCESS'],
      ]);
      const report = run.tasks?.find(({ task_key }) => task_key === 'report');
      const output = await client.jobs.getRunOutput({ run_id: report?.run_id as number });
      expect(output.logs).toBe('42 rows\n');

      const events = (await inbox.requests()).map((request) => request.json() as { event_type: string; task?: object });
      const count = (type: string, ofTask: boolean) =>
        events.filter(({ event_type, task }) => event_type === type && (task !== undefined) === ofTask).length;
      expect({
        starts: count('jobs.on_start', false),
        successes: count('jobs.on_success', false),
        failedAttempts: count('jobs.on_failure', true),
      }).toEqual({ starts: 24, successes: 24, failedAttempts: 48 });
    });

    it('automation that honours Retry-After finishes; one that does not is named', async () => {
      const [patient, hasty] = await Promise.all([person(bench), person(bench, 'licensed')]);
      const done: number[] = [];
      for (let call = 0; done.length < 45; call++) {
        if (call > 200) throw new Error('the patient client never finishes');
        const { status, headers } = await patient('GET', '/workspace/list?path=/');
        if (status === 200) done.push(call);
        else {
          expect(status).toBe(429);
          await bench.jar.clock.advance(`${headers.get('retry-after')}s`);
        }
        if (done.length === 20)
          await control(bench, 'PATCH', 'limits', {
            name: 'platform.rate.workspace-list',
            size: 2,
            refillPerSecond: 2,
          });
      }
      await good(hasty('GET', '/workspace/list?path=/'), 200, 429);
      const statuses: number[] = [];
      for (let i = 0; i < 5; i++) statuses.push((await hasty('GET', '/workspace/list?path=/')).status);
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(1);
      const { value } = (await control(bench, 'GET', 'limits?name=platform.rate.workspace-list')).body;
      expect(value[0].earlyRetries).toEqual([expect.objectContaining({ name: 'licensed@vendor.example' })]);
    });
  },
  // The middle of an hour: the last run of the day has ended when the day has.
  { clockStart: '2026-03-02T08:30:00Z' },
);
