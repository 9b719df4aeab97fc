import { expect, it, onTestFinished } from 'vitest';
import { startJar, type TestJar } from '../../../../src/testing/index.ts';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';
import { PLAIN } from '../compute/support.ts';
import { JOBS, task } from '../jobs/support.ts';

/** State with everything under way, moved to another jar, into the far future, and away. */

const START = '2026-03-02T08:30:00Z';
const DAILY = '0 0 8 * * ?';
const MONTHLY = '0 0 8 1 * ?';

function callsOf(jar: TestJar, token: string) {
  const send = async (method: string, path: string, body?: unknown, key = token) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = body instanceof Buffer ? body : body === undefined ? null : JSON.stringify(body);
    const answer = await fetch(`${jar.url}${path}`, { method, headers, body: sent });
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const need = async (method: string, path: string, body?: unknown) => {
    const { status, bytes } = await send(method, path, body, path.startsWith('/_jar/') ? jar.adminKey : token);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${bytes}`);
    return bytes.length === 0 ? {} : JSON.parse(bytes.toString());
  };
  return { send, need };
}
type Need = ReturnType<typeof callsOf>['need'];

/** One of each, all of it about to do something. */
async function fill(need: Need, cron: string) {
  const { value: rates } = await need('GET', '/_jar/limits?name=platform.rate.*&use=0&$top=1000');
  await need(
    'PATCH',
    '/_jar/limits',
    (rates as { name: string }[]).map(({ name }) => ({ name, mode: 'unlimited' })),
  );
  const { userName: me, id } = await need('GET', '/api/2.0/preview/scim/v2/Me');
  const { instance_pool_id } = await need('POST', '/api/2.0/instance-pools/create', {
    instance_pool_name: 'p',
    node_type_id: PLAIN.node_type_id,
    min_idle_instances: 1,
    max_capacity: 9,
  });
  const { node_type_id: _type, ...rest } = PLAIN;
  const spec = {
    ...rest,
    instance_pool_id,
    autotermination_minutes: 30,
    autoscale: { min_workers: 1, max_workers: 4 },
  };
  const { num_workers: _workers, ...scaled } = spec;
  const { cluster_id } = await need('POST', '/api/2.1/clusters/create', scaled);
  const { id: warehouse } = await need('POST', '/api/2.0/sql/warehouses', { name: 'w', auto_stop_mins: 10 });
  const run = { statement: 'SELECT 1', warehouse_id: warehouse, wait_timeout: '0s' };
  const { statement_id } = await need('POST', '/api/2.0/sql/statements', run);
  await need('PUT', '/_jar/platform/query-results', { statement: 'SELECT n', columns: ['n'], rows: [[1]] });
  const { id: alert } = await need('POST', '/api/2.0/alerts', {
    display_name: 'a',
    query_text: 'SELECT n',
    warehouse_id: warehouse,
    evaluation: {
      source: { name: 'n' },
      comparison_operator: 'EQUAL',
      threshold: { value: { double_value: 1 } },
      notification: { subscriptions: [{ user_email: me }] },
    },
    schedule: { quartz_cron_schedule: cron, timezone_id: 'Europe/Berlin' },
  });
  const boards = '/api/2.0/lakeview/dashboards';
  const { dashboard_id } = await need('POST', boards, { display_name: 'b', serialized_dashboard: '{}' });
  await need('POST', `${boards}/${dashboard_id}/published`, {});
  const cron_schedule = { quartz_cron_expression: cron, timezone_id: 'UTC' };
  const { schedule_id } = await need('POST', `${boards}/${dashboard_id}/schedules`, { cron_schedule });
  const subscriptions = `${boards}/${dashboard_id}/schedules/${schedule_id}/subscriptions`;
  await need('POST', subscriptions, { subscriber: { user_subscriber: { user_id: Number(id) } } });
  const schedule = { quartz_cron_expression: cron, timezone_id: 'America/New_York' };
  const tasks = [task('a', 'sleep 600')];
  const { job_id } = await need('POST', `${JOBS}/create`, { name: 'daily', tasks, schedule });
  const { run_id } = await need('POST', `${JOBS}/run-now`, { job_id });
  const trigger = { file_arrival: { url: 'dbfs:/landing/' } };
  const { job_id: arrivals } = await need('POST', `${JOBS}/create`, { tasks: [task('a', 'true')], trigger });
  await need('POST', '/api/2.0/dbfs/put', { path: '/landing/a', contents: 'aGk=' });
  const { token_value } = await need('POST', '/api/2.0/token/create', { comment: 't', lifetime_seconds: 7200 });
  const context = { clusterId: cluster_id, language: 'python' };
  return {
    instance_pool_id,
    cluster_id,
    warehouse,
    statement_id,
    alert,
    job_id,
    run_id,
    arrivals,
    token_value,
    context,
  };
}

async function checkDone(need: Need, made: Awaited<ReturnType<typeof fill>>, now: number): Promise<void> {
  const { cluster_id, warehouse, statement_id, alert, run_id, arrivals, instance_pool_id } = made;
  expect((await need('GET', `/api/2.1/clusters/get?cluster_id=${cluster_id}`)).state).toBe('TERMINATED');
  expect((await need('GET', `/api/2.0/sql/warehouses/${warehouse}`)).state).toBe('STOPPED');
  expect((await need('GET', `/api/2.0/instance-pools/get?instance_pool_id=${instance_pool_id}`)).stats).toMatchObject({
    used_count: 0,
    pending_used_count: 0,
    idle_count: 1,
  });
  expect((await need('GET', `${JOBS}/runs/get?run_id=${run_id}`)).state).toMatchObject({ result_state: 'SUCCESS' });
  const { runs = [] } = await need('GET', `${JOBS}/runs/list?job_id=${arrivals}`);
  expect(runs).toHaveLength(1);
  const { evaluation } = await need('GET', `/api/2.0/alerts/${alert}`);
  expect(evaluation.state).toBe('TRIGGERED');
  expect(now - Date.parse(evaluation.last_evaluated_at)).toBeLessThanOrEqual(25 * 3_600_000);
  expect((await need('GET', `/api/2.0/sql/statements/${statement_id}`)).status.state).toMatch(/SUCCEEDED|CLOSED/);
}

it('a jar goes on from the snapshot of another one, on another store, and both end alike', {
  timeout: 240_000,
}, async (context) => {
  const databaseUrl = await usePostgresDatabase(context, 'moved');
  const secretKey = 'B'.repeat(43);
  const first = await startJar({ clockStart: START, clock: 'virtual', secretKey });
  onTestFinished(() => first.close());
  const second = await startJar({ clock: 'virtual', databaseUrl, secretKey });
  onTestFinished(() => second.close());
  const token = await first.token({ ttl: '3650d' });
  const one = callsOf(first, token);
  const made = await fill(one.need, DAILY);
  await first.clock.advance('20s');
  await first.snapshot('middle');
  const { bytes } = await one.send('GET', '/_jar/snapshots/middle/content', undefined, first.adminKey);
  const two = callsOf(second, token);
  const put = await two.send('PUT', '/_jar/snapshots/middle/content', bytes, second.adminKey);
  expect(put.status, put.bytes.toString()).toBe(201);
  await two.need('POST', '/_jar/snapshots/middle/restore');
  for (const [jar, { need }] of [
    [first, one],
    [second, callsOf(second, await second.token({ ttl: '3650d' }))],
  ] as const) {
    await jar.clock.advance('1d');
    await checkDone(need, made, jar.clock.now().getTime());
    expect((await callsOf(jar, made.token_value).send('GET', '/api/2.1/clusters/list')).status).toBe(403);
    await need('POST', '/_jar/reset');
    const { need: fresh } = callsOf(jar, await jar.token({ ttl: '3650d' }));
    await fresh('GET', '/api/2.0/preview/scim/v2/Me');
    const { value: rows } = await fresh('GET', '/_jar/limits?name=platform.*&$top=1000');
    const used = (rows as { name: string; use?: { used: number }[] }[])
      .filter(({ name }) => /clusters|pools|warehouses|jobs|tasks|alerts|dashboard/.test(name) && !/rate/.test(name))
      .flatMap(({ use = [] }) => use.map((each) => each.used));
    expect(used.every((count) => count === 0)).toBe(true);
    await jar.clock.advance('2d');
    expect((await jar.mailbox('admin').messages()).length).toBe(0);
  }
});

it('ten years later all of it has happened, and what was due while the clock moved was done once', {
  timeout: 240_000,
}, async () => {
  const jar = await startJar({ clockStart: START, clock: 'virtual' });
  onTestFinished(() => jar.close());
  const { need, send } = callsOf(jar, await jar.token({ ttl: '36500d' }));
  const made = await fill(need, MONTHLY);
  await need('POST', `${JOBS}/update`, { job_id: made.job_id, new_settings: { tasks: [task('a', 'true')] } });
  await jar.clock.advance('3652d');
  const now = jar.clock.now().getTime();
  const { evaluation } = await need('GET', `/api/2.0/alerts/${made.alert}`);
  expect(now - Date.parse(evaluation.last_evaluated_at)).toBeLessThan(32 * 86_400_000);
  // Ended long ago, and forgotten.
  for (const path of [
    `/api/2.1/clusters/get?cluster_id=${made.cluster_id}`,
    `${JOBS}/runs/get?run_id=${made.run_id}`,
    `/api/2.0/sql/statements/${made.statement_id}`,
  ])
    expect((await send('GET', path)).status, path).toBeGreaterThanOrEqual(400);
  const { runs } = await need('GET', `${JOBS}/runs/list?job_id=${made.job_id}`);
  expect(runs.length).toBeGreaterThan(0);
  expect(runs.length).toBeLessThanOrEqual(3);
  const subjects = (await jar.mailbox('admin').messages()).map(({ subject }) => subject);
  expect(subjects.filter((each) => each.startsWith('Dashboard'))).toHaveLength(120);
  expect(subjects.filter((each) => each.startsWith('Alert'))).toHaveLength(1);
  const { stats } = await need('GET', `/api/2.0/instance-pools/get?instance_pool_id=${made.instance_pool_id}`);
  expect(stats).toMatchObject({ used_count: 0, pending_used_count: 0, idle_count: 1 });
});
