import { MANAGEMENT } from '../../src/kernel/arm/family.ts';
import { SERVICES } from '../../src/services.ts';
import { startJar, type TestJar } from '../../src/testing/index.ts';
import { JarProbe } from '../../test/support/jar-probe.ts';
import { wholeService } from '../../test/support/whole-service.ts';
import type { Case, CaseContext } from '../lib/case.ts';
import { takeTurns } from '../lib/rounds.ts';

/** The limit of concurrent tasks in a workspace. */
const TASKS = 2000;
const TASKS_OF_A_RUN = 100;
const WORK = 'bench.item';
const HOUR_MS = 3_600_000;

/** After one hour, plus one second for each run. */
const endOf = (n: number): number => HOUR_MS + Math.floor(n / TASKS_OF_A_RUN) * 1000 + (n % TASKS_OF_A_RUN) * 100;

export const platformTasks: Case = {
  name: 'platform-tasks',
  summary: `${TASKS} simulated tasks of jobs that run at the same time, advanced by a day, against as many bare items of due work.`,
  async run(context) {
    const tasks = context.quick ? 200 : TASKS;
    const probe = new JarProbe('bench-probe');
    const items = wholeService({
      name: 'bench-items',
      title: 'Bench',
      family: MANAGEMENT,
      mounts: [],
      routes: [],
      work: { [WORK]: { concurrency: 16, run: async (item, jar) => jar.store.transact((tx) => tx.complete(item)) } },
    });
    const jar = await startJar({ clock: 'virtual', services: [...SERVICES, probe.service, items] });
    try {
      await withoutRates(jar);
      const figures = await takeTurns(context.quick ? 3 : 9, {
        items: () => runItems(jar, probe, tasks),
        tasks: () => runTasks(context, jar, tasks),
      });
      return [
        {
          title: `${tasks.toLocaleString('en')} tasks, advanced by a day`,
          unit: 'ms',
          baseline: { name: 'bare items of due work', values: figures.items },
          subject: { name: 'simulated tasks', values: figures.tasks },
          target: { atMost: 3 },
          note: 'Processor time of the process, from the advance until all is settled.',
        },
      ];
    } finally {
      await jar.close();
    }
  },
};

async function withoutRates(jar: TestJar): Promise<void> {
  const changes = [{ name: 'platform.rate.jobs-runs-submit', mode: 'unlimited' }];
  await call(jar, jar.adminKey, 'PATCH', '/_jar/limits', changes);
}

/** Processor time of a day, in milliseconds. */
async function aDay(jar: TestJar): Promise<number> {
  const before = process.cpuUsage();
  await jar.clock.advance('24h');
  await jar.settled();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Due at the times at which tasks also end: the cost per time is not part of the comparison. */
async function runItems(jar: TestJar, probe: JarProbe, count: number): Promise<number> {
  const { store, clock } = probe.jar;
  await store.transact(async (tx) => {
    for (let n = 0; n < count; n++) await tx.schedule({ kind: WORK, dueAt: clock.now() + endOf(n), payload: { n } });
  });
  return aDay(jar);
}

async function runTasks({ say }: CaseContext, jar: TestJar, count: number): Promise<number> {
  const token = await jar.token({ user: 'admin', ttl: '3650d' });
  const runs = Math.ceil(count / TASKS_OF_A_RUN);
  say(`submitting ${runs} runs`);
  for (let run = 0; run < runs; run++) {
    const tasks = Array.from({ length: TASKS_OF_A_RUN }, (_, n) => ({
      task_key: `task-${n}`,
      spark_jar_task: { main_class_name: 'Main', cloudjar: `sleep ${endOf(run * TASKS_OF_A_RUN + n) / 1000}` },
    }));
    await call(jar, token, 'POST', '/api/2.2/jobs/runs/submit', { tasks });
  }
  await jar.settled();
  return aDay(jar);
}

async function call({ url }: TestJar, token: string, method: string, path: string, body: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}
