import { join } from 'node:path';
import type { Case, CaseContext, Comparison } from '../lib/case.ts';
import { type JarProcess, startJarProcess } from '../lib/contenders.ts';
import { takeTurns } from '../lib/rounds.ts';

const FEW = 100;
const PAGE = 100;
const AT_ONCE = 16;

const JOB = { tasks: [{ task_key: 'only', spark_jar_task: { main_class_name: 'Main' } }] };
const RATES = ['jobs-create', 'jobs-list'].map((end) => ({ name: `platform.rate.${end}`, mode: 'unlimited' }));

export const platformJobs: Case = {
  name: 'platform-jobs',
  summary: `A page of ${PAGE} jobs of the data platform in a workspace with many and in one with ${FEW}.`,
  async run(context) {
    const many = context.quick ? 1000 : 10_000;
    const jars = [await fill(context, FEW), await fill(context, many)] as const;
    try {
      return [await compare(context, many, jars)];
    } finally {
      await Promise.all(jars.map(({ jar }) => jar.stop()));
    }
  },
};

interface Filled {
  readonly jar: JarProcess;
  readonly headers: Readonly<Record<string, string>>;
}

async function fill({ folder, say }: CaseContext, count: number): Promise<Filled> {
  const jar = await startJarProcess(join(folder, String(count)), ['--engine', 'simulated']);
  const own = [{ name: 'platform.jobs-created', mode: 'unlimited' }];
  await jar.changeLimits([...RATES, ...own]);
  const headers = { authorization: `Bearer ${await jar.token()}`, 'content-type': 'application/json' };
  say(`making ${count} jobs`);
  let next = 0;
  const maker = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      const body = JSON.stringify({ name: `job ${next}`, ...JOB });
      const answer = await fetch(`${jar.url}/api/2.2/jobs/create`, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(`a job was refused: ${answer.status} ${await answer.text()}`);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, maker));
  return { jar, headers };
}

async function compare(
  { quick }: CaseContext,
  many: number,
  [few, full]: readonly [Filled, Filled],
): Promise<Comparison> {
  const requests = quick ? 50 : 200;
  const average = async ({ jar, headers }: Filled): Promise<number> => {
    const began = performance.now();
    for (let i = 0; i < requests; i++)
      await (await fetch(`${jar.url}/api/2.2/jobs/list?limit=${PAGE}`, { headers })).arrayBuffer();
    return (performance.now() - began) / requests;
  };
  const figures = await takeTurns(quick ? 3 : 11, { few: () => average(few), full: () => average(full) });
  return {
    title: `a page of ${PAGE} jobs`,
    unit: 'ms',
    baseline: { name: `of ${FEW}`, values: figures.few },
    subject: { name: `of ${many.toLocaleString('en')}`, values: figures.full },
    target: { atMost: 2 },
  };
}
