import { describe, expect, it, type TestContext } from 'vitest';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';
import { PLAIN } from '../compute/support.ts';
import { JOBS, task } from '../jobs/support.ts';
import { MortalJar } from '../mortal-jar.ts';

/** Compute, warehouses, alerts, dashboards and triggers of a jar that is killed again and again while time goes on. */

const KILLS = process.env.CLOUDJAR_SOAK === '1' ? 20 : 2;
const HOUR = 3_600_000;
const CRON = '0 0 * * * ?';

/** Whatever is under way when the jar dies is done again after its next start. */
class Life {
  readonly jar: MortalJar;
  readonly clusters: string[] = [];
  readonly statements: string[] = [];
  files = 0;

  constructor(jar: MortalJar) {
    this.jar = jar;
  }

  async advance(): Promise<void> {
    while (await this.jar.send('POST', '/_jar/clock/advance', { by: '7m' })) {}
  }

  async use(pool: string, warehouse: string): Promise<void> {
    for (let turn = 0; ; turn++) {
      const spec = {
        ...PLAIN,
        node_type_id: undefined,
        instance_pool_id: pool,
        num_workers: 1,
        autotermination_minutes: 10,
      };
      const made = await this.jar.send('POST', '/api/2.1/clusters/create', spec);
      if (!made) return;
      if (made.status === 200) this.clusters.push(made.body.cluster_id);
      const cluster_id = this.clusters[turn % Math.max(1, this.clusters.length)];
      const calls: readonly [string, string, object][] = [
        ['POST', '/api/2.0/sql/statements', { statement: 'SELECT 1', warehouse_id: warehouse, wait_timeout: '0s' }],
        ['POST', '/api/2.0/dbfs/put', { path: `/landing/${this.files}`, contents: 'aGk=', overwrite: true }],
        ['POST', '/api/2.1/clusters/resize', { cluster_id, num_workers: 2 + (turn % 2) }],
        ['POST', '/api/2.1/clusters/delete', { cluster_id }],
        ['POST', `/api/2.0/sql/warehouses/${warehouse}/${turn % 2 ? 'start' : 'stop'}`, {}],
      ];
      for (const [method, path, body] of calls) {
        const answer = await this.jar.send(method, path, body);
        if (!answer) return;
        expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(500);
        if (answer.body?.statement_id) this.statements.push(answer.body.statement_id);
        if (path.endsWith('/put')) this.files++;
      }
    }
  }
}

async function survives(context: TestContext, engine: 'sqlite' | 'postgres'): Promise<void> {
  const url = engine === 'postgres' ? await usePostgresDatabase(context, 'killed') : undefined;
  const jar = new MortalJar(['--clock', 'virtual', ...(url === undefined ? [] : ['--database-url', url])]);
  await jar.start();
  const { value: rates } = await jar.need('GET', '/_jar/limits?name=platform.rate.*&use=0&$top=1000');
  await jar.need(
    'PATCH',
    '/_jar/limits',
    (rates as { name: string }[]).map(({ name }) => ({ name, mode: 'unlimited' })),
  );
  const { userName: me, id } = await jar.need('GET', '/api/2.0/preview/scim/v2/Me');
  const { instance_pool_id: pool } = await jar.need('POST', '/api/2.0/instance-pools/create', {
    instance_pool_name: 'p',
    node_type_id: PLAIN.node_type_id,
    max_capacity: 9,
    min_idle_instances: 1,
    idle_instance_autotermination_minutes: 5,
  });
  const { id: warehouse } = await jar.need('POST', '/api/2.0/sql/warehouses', { name: 'w', auto_stop_mins: 10 });
  const result = { statement: 'SELECT n', columns: ['n'], rows: [[1]] };
  await jar.need('PUT', '/_jar/platform/query-results', result);
  const { id: alert } = await jar.need('POST', '/api/2.0/alerts', {
    display_name: 'a',
    query_text: 'SELECT n',
    warehouse_id: warehouse,
    evaluation: {
      source: { name: 'n' },
      comparison_operator: 'EQUAL',
      threshold: { value: { double_value: 1 } },
      notification: { subscriptions: [{ user_email: me }], retrigger_seconds: 1 },
    },
    schedule: { quartz_cron_schedule: CRON, timezone_id: 'UTC' },
  });
  const boards = '/api/2.0/lakeview/dashboards';
  const { dashboard_id: board } = await jar.need('POST', boards, { display_name: 'b', serialized_dashboard: '{}' });
  await jar.need('POST', `${boards}/${board}/published`, {});
  const cron_schedule = { quartz_cron_expression: CRON, timezone_id: 'UTC' };
  const { schedule_id } = await jar.need('POST', `${boards}/${board}/schedules`, { cron_schedule });
  const subscriber = { user_subscriber: { user_id: Number(id) } };
  await jar.need('POST', `${boards}/${board}/schedules/${schedule_id}/subscriptions`, { subscriber });
  const { job_id } = await jar.need('POST', `${JOBS}/create`, {
    name: 'arrivals',
    tasks: [task('a', 'true')],
    trigger: { file_arrival: { url: 'dbfs:/landing/' } },
  });
  const life = new Life(jar);
  const clock = async () => Date.parse((await jar.need('GET', '/_jar/clock')).now);
  const began = await clock();
  for (let kill = 0; kill < KILLS; kill++) {
    if (kill > 0) await jar.start();
    const [moved, used] = [life.advance(), life.use(pool, warehouse)];
    const before = life.files;
    await expect.poll(() => life.files - before, { interval: 1, timeout: 60_000 }).toBeGreaterThan(3);
    await jar.kill();
    await Promise.all([moved, used]);
  }
  await jar.start();
  await jar.need('POST', '/api/2.0/dbfs/put', { path: '/landing/last', contents: 'aGk=', overwrite: true });
  await jar.need('POST', '/_jar/clock/advance', { by: '3h' });
  const now = await clock();

  const { clusters = [] } = await jar.need('GET', '/api/2.1/clusters/list?page_size=100');
  const states = new Set((clusters as { state: string }[]).map(({ state }) => state));
  expect([...states]).toEqual(['TERMINATED']);
  expect(clusters.length).toBeGreaterThanOrEqual(life.clusters.length);
  const { stats } = await jar.need('GET', `/api/2.0/instance-pools/get?instance_pool_id=${pool}`);
  expect(stats).toEqual({ used_count: 0, idle_count: 1, pending_used_count: 0, pending_idle_count: 0 });
  expect(await jar.need('GET', `/api/2.0/sql/warehouses/${warehouse}`)).toMatchObject({
    state: 'STOPPED',
    num_clusters: 0,
  });
  for (const each of life.statements) {
    const { status } = await jar.need('GET', `/api/2.0/sql/statements/${each}`);
    expect(['SUCCEEDED', 'FAILED', 'CANCELED', 'CLOSED']).toContain(status.state);
  }
  const hours = Math.floor(now / HOUR) - Math.floor(began / HOUR);
  expect(Date.parse((await jar.need('GET', `/api/2.0/alerts/${alert}`)).evaluation.last_evaluated_at)).toBe(
    Math.floor(now / HOUR) * HOUR,
  );
  const { value: mails } = await jar.need('GET', '/_jar/mail/mailboxes/admin/messages?$top=1000');
  const subjects = (mails as { subject: string }[]).map(({ subject }) => subject);
  expect(
    subjects.filter((each) => each.startsWith('Alert')),
    'each evaluation is told once',
  ).toHaveLength(hours);
  expect(
    subjects.filter((each) => each.startsWith('Dashboard')),
    'each refresh is told once',
  ).toHaveLength(hours);
  const { value: saved } = await jar.need('GET', '/_jar/limits?name=platform.saved-jobs');
  expect(saved[0].use.reduce((sum: number, each: { used: number }) => sum + each.used, 0)).toBe(1);
  const { runs = [] } = await jar.need('GET', `${JOBS}/runs/list?job_id=${job_id}`);
  expect(runs.length).toBeGreaterThan(0);
  const last = Math.max(...(runs as { start_time: number }[]).map(({ start_time }) => start_time));
  expect(last).toBeGreaterThan(now - 3 * HOUR);
}

describe('a jar that is killed while compute, warehouses and schedules are under way', () => {
  it('loses nothing and counts right, on SQLite', { timeout: 300_000 }, (context) => survives(context, 'sqlite'));
  it('loses nothing and counts right, on PostgreSQL', { timeout: 300_000 }, (context) => survives(context, 'postgres'));
});
