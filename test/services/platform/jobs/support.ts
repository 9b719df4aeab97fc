import type { Bench } from '../../../support/jars.ts';
import { type Ask, control, good } from '../support.ts';

/** The clock of tests stands still, so that no bucket would fill again. */
export async function withoutRates(bench: Bench): Promise<void> {
  const { value } = await good(control(bench, 'GET', 'limits?name=platform.rate.*&use=0&$top=1000'));
  const changes = (value as { name: string }[]).map(({ name }) => ({ name, mode: 'unlimited' }));
  await good(control(bench, 'PATCH', 'limits', changes));
}

export const JOBS = '/api/2.2/jobs';

/** A task of the simulated shell. */
export const task = (key: string, script = 'sleep 10', more: object = {}) => ({
  task_key: key,
  spark_jar_task: { main_class_name: 'Main', cloudjar: script },
  ...more,
});

export const after = (...keys: readonly string[]) => ({ depends_on: keys.map((task_key) => ({ task_key })) });

export const createJob = async (ask: Ask, settings: object): Promise<number> =>
  (await good(ask('POST', `${JOBS}/create`, settings))).job_id;

export const runNow = async (ask: Ask, job_id: number, more: object = {}): Promise<number> =>
  (await good(ask('POST', `${JOBS}/run-now`, { job_id, ...more }))).run_id;

export const getRun = (ask: Ask, run_id: number, query = '') =>
  good(ask('GET', `${JOBS}/runs/get?run_id=${run_id}${query}`));

export const runsOf = async (ask: Ask, job_id: number, query = '') =>
  (await good(ask('GET', `${JOBS}/runs/list?job_id=${job_id}${query}`))).runs ?? [];
