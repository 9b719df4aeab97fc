import type { Post } from './filled-sharing.ts';

/** What `filled-workspace.ts` fills experiment tracking with. */

export interface TrackingIds {
  readonly experiment: string;
  readonly trackedRun: string;
  readonly loggedModel: string;
}

const inner = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], value);

export async function fillTracking(post: Post): Promise<TrackingIds> {
  const { experiment_id: experiment } = await post('/mlflow/experiments/create', {
    name: '/Users/admin@vendor.example/ours-x',
  });
  const made = await post('/mlflow/runs/create', { experiment_id: experiment, run_name: 'ours-run' });
  const run = String(inner(made, 'run', 'info', 'run_id'));
  await post('/mlflow/runs/log-batch', {
    run_id: run,
    metrics: [{ key: 'ours-m', value: 1, timestamp: 1, step: 0 }],
    params: [{ key: 'ours-p', value: 'x' }],
    tags: [{ key: 'ours-t', value: 'x' }],
  });
  const model = await post('/mlflow/logged-models', { experiment_id: experiment, name: 'ours-model' });
  return {
    experiment: String(experiment),
    trackedRun: run,
    loggedModel: String(inner(model, 'model', 'info', 'model_id')),
  };
}

export const isOfTracking = (path: string): boolean =>
  /^\/mlflow\/(?:experiments|runs|metrics|artifacts|logged-models|traces|datasets)/.test(path);

/** A body that would change the run, the experiment or the model. */
export const trackingBody = (path: string, ids: Readonly<Record<string, string>>): Record<string, unknown> => ({
  experiment_id: ids.experiment,
  experiment_ids: [ids.experiment],
  experiment_name: '/Users/admin@vendor.example/ours-x',
  run_id: ids.trackedRun,
  run_uuid: ids.trackedRun,
  model_id: ids.loggedModel,
  name: path.endsWith('experiments/create') ? '/Shared/theirs' : undefined,
  new_name: '/Users/admin@vendor.example/theirs',
  key: 'theirs',
  metric_key: 'ours-m',
  value: path.includes('metric') ? 1 : 'theirs',
  timestamp: 1,
  status: 'FINISHED',
  metrics: [{ key: 'theirs', value: 2, timestamp: 2, step: 1 }],
  params: [{ key: 'theirs', value: 'x' }],
  tags: [{ key: 'theirs', value: 'x' }],
  max_timestamp_millis: 1,
});
