import { type Ask, good } from '../support.ts';

/** Experiment tracking by plain requests. */
export const tracking = (ask: Ask) => ({
  post: (path: string, body: unknown = {}) => good(ask('POST', `/mlflow/${path}`, body)),
  get: (path: string, query: Record<string, string> = {}) =>
    good(ask('GET', `/mlflow/${path}?${new URLSearchParams(query)}`)),
});

export type Tracking = ReturnType<typeof tracking>;

let made = 0;

export async function newExperiment({ post }: Tracking, name = `/Shared/experiment-${++made}`): Promise<string> {
  return (await post('experiments/create', { name })).experiment_id;
}

export async function newRun(api: Tracking, experiment?: string, rest: object = {}): Promise<string> {
  const { run } = await api.post('runs/create', { experiment_id: experiment ?? (await newExperiment(api)), ...rest });
  return run.info.run_id;
}
