import { type Ask, good } from '../support.ts';

export { withoutRates } from '../support.ts';

export const JOBS = '/api/2.2/jobs';

/** A task for the simulated shell. */
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
