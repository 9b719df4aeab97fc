import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../../../../support/jars.ts';
import { type Ask, good, person } from '../../support.ts';
import { after, createJob, getRun, JOBS, runNow, task, withoutRates } from '../support.ts';

onAnyStore('data platform: notifications of jobs', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  const EVENTS = ['on_start', 'on_success', 'on_failure', 'on_duration_warning_threshold_exceeded'] as const;

  async function destination(name: string, config: object): Promise<string> {
    return (await good(ask('POST', '/notification-destinations', { display_name: name, config }))).id;
  }

  async function hooked(name: string): Promise<{ webhook_notifications: object }> {
    const id = await destination(name, { generic_webhook: { url: bench.jar.inbox(name).url } });
    return { webhook_notifications: Object.fromEntries(EVENTS.map((event) => [event, [{ id }]])) };
  }

  async function received(name: string): Promise<string[]> {
    await bench.jar.settled();
    const requests = await bench.jar.inbox(name).requests();
    return requests.map((request) => request.json().event_type);
  }

  it('a webhook gets the start and the end of runs and tasks, with a credential where the destination has one', async () => {
    const id = await destination('secured', {
      generic_webhook: { url: bench.jar.inbox('secured').url, username: 'u', password: 'p' },
    });
    const webhook_notifications = { on_start: [{ id }], on_success: [{ id }] };
    const job_id = await createJob(ask, {
      name: 'Hooked',
      webhook_notifications,
      tasks: [task('a', 'sleep 5', { webhook_notifications })],
    });
    const run_id = await runNow(ask, job_id);
    await bench.jar.clock.advance('1m');
    const requests = await bench.jar.inbox('secured').requests();
    const { tasks } = await getRun(ask, run_id);
    const bodies = requests.map((request) => request.json());
    const ofRun = { workspace_id: expect.any(Number), run: { run_id }, job: { job_id, name: 'Hooked' } };
    const ofTask = {
      ...ofRun,
      run: { run_id: tasks[0].run_id, parent_run_id: run_id },
      task: { task_key: 'a' },
    };
    expect(bodies).toHaveLength(4);
    expect(bodies).toEqual(
      expect.arrayContaining([
        { event_type: 'jobs.on_start', ...ofRun },
        { event_type: 'jobs.on_start', ...ofTask },
        { event_type: 'jobs.on_success', ...ofTask },
        { event_type: 'jobs.on_success', ...ofRun },
      ]),
    );
    expect(requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from('u:p').toString('base64')}`);
  });

  it('a receiver that is down gets the message later', async () => {
    const notified = await hooked('down');
    await bench.jar.inbox('down').failTimes(2);
    const job_id = await createJob(ask, { ...notified, tasks: [task('a', 'true')] });
    await runNow(ask, job_id);
    await bench.jar.clock.advance('5m');
    const answers = (await bench.jar.inbox('down').requests()).map(({ answered }) => answered.status);
    expect(answers.filter((status) => status === 503)).toHaveLength(2);
    expect(answers.filter((status) => status === 200)).toHaveLength(2);
  });

  it('mail goes to addresses, and to destinations of mail', async () => {
    const me = (await good(ask('GET', '/preview/scim/v2/Me'))).userName;
    const id = await destination('mail', { email: { addresses: [me] } });
    const job_id = await createJob(ask, {
      name: 'Mailed',
      email_notifications: { on_failure: [me] },
      // A duplicate address gets only one mail.
      webhook_notifications: { on_failure: [{ id }] },
      tasks: [task('a', 'echo no disk; exit 1')],
    });
    const run_id = await runNow(ask, job_id);
    await bench.jar.clock.advance('1m');
    const mail = await bench.jar.mailbox('admin').messages();
    const ours = mail.filter(({ subject }) => subject.includes('Mailed'));
    expect(ours.map(({ subject }) => subject)).toEqual([`Mailed: run ${run_id} failed`]);
  });

  it('skipped and cancelled runs notify as failures unless they are muted', async () => {
    const cases = [
      { name: 'loud', settings: {}, expected: ['jobs.on_failure', 'jobs.on_failure', 'jobs.on_start'] },
      {
        name: 'muted',
        settings: { notification_settings: { no_alert_for_skipped_runs: true, no_alert_for_canceled_runs: true } },
        expected: ['jobs.on_start'],
      },
      {
        name: 'skips',
        settings: { notification_settings: { no_alert_for_skipped_runs: true } },
        expected: ['jobs.on_failure', 'jobs.on_start'],
      },
    ];
    for (const { name, settings, expected } of cases) {
      const job_id = await createJob(ask, { ...settings, ...(await hooked(name)), tasks: [task('a', 'sleep 600')] });
      const run_id = await runNow(ask, job_id);
      await runNow(ask, job_id);
      await good(ask('POST', `${JOBS}/runs/cancel`, { run_id }));
      expect((await received(name)).sort(), name).toEqual(expected);
    }
  });

  it('retries of a task notify each time, or with alert_on_last_attempt for the first start and the last failure', async () => {
    const retried = { max_retries: 2, min_retry_interval_millis: 1000 };
    for (const [name, alert_on_last_attempt, expected] of [
      [
        'each',
        false,
        ['jobs.on_start', 'jobs.on_failure', 'jobs.on_start', 'jobs.on_failure', 'jobs.on_start', 'jobs.on_failure'],
      ],
      ['last', true, ['jobs.on_start', 'jobs.on_failure']],
    ] as const) {
      const more = { ...retried, ...(await hooked(name)), notification_settings: { alert_on_last_attempt } };
      const job_id = await createJob(ask, { tasks: [task('a', 'exit 1', more)] });
      await runNow(ask, job_id);
      await bench.jar.clock.advance('5m');
      expect((await received(name)).sort(), name).toEqual([...expected].sort());
    }
  });

  it('a run or task that takes longer than its health rule expects is warned of once, a shorter one is not', async () => {
    const health = { rules: [{ metric: 'RUN_DURATION_SECONDS', op: 'GREATER_THAN', value: 60 }] };
    const ofRun = await hooked('run');
    const ofTask = await hooked('task');
    const job_id = await createJob(ask, {
      ...ofRun,
      health,
      tasks: [
        task('a', 'sleep 30', { ...ofTask, health }),
        task('b', 'sleep 90', { ...ofTask, health, ...after('a') }),
      ],
    });
    await runNow(ask, job_id);
    await bench.jar.clock.advance('59s');
    expect(await received('run')).toEqual(['jobs.on_start']);
    await bench.jar.clock.advance('2s');
    expect(await received('run')).toEqual(['jobs.on_start', 'jobs.on_duration_warning_threshold_exceeded']);
    await bench.jar.clock.advance('1h');
    expect(await received('run')).toEqual([
      'jobs.on_start',
      'jobs.on_duration_warning_threshold_exceeded',
      'jobs.on_success',
    ]);
    const warnings = (await bench.jar.inbox('task').requests())
      .map((request) => request.json())
      .filter(({ event_type }) => event_type === 'jobs.on_duration_warning_threshold_exceeded');
    expect(warnings).toMatchObject([{ task: { task_key: 'b' } }]);
  });

  it('a destination that was deleted since does not keep a run from its end', async () => {
    const id = await destination('gone', { generic_webhook: { url: bench.jar.inbox('gone').url } });
    const job_id = await createJob(ask, {
      webhook_notifications: { on_success: [{ id }] },
      tasks: [task('a', 'sleep 5')],
    });
    const run_id = await runNow(ask, job_id);
    await good(ask('DELETE', `/notification-destinations/${id}`));
    await bench.jar.clock.advance('1m');
    expect(await getRun(ask, run_id)).toMatchObject({ state: { result_state: 'SUCCESS' } });
  });
});
