import { ok } from '../../../kernel/http/index.ts';
import { type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import { createExperiment } from './experiments/create.ts';
import { deleteExperimentTag, setExperimentTag } from './experiments/tags.ts';
import { Request } from './request.ts';
import { createRun } from './runs/create.ts';
import { findRun, runIdIn } from './runs/find.ts';
import { logInputs, logOutputs } from './runs/inputs.ts';
import { BATCH_BODY_BYTES, logBatch } from './runs/log-batch.ts';
import { runView } from './runs/view.ts';

/** A row below `/mlflow`, also at the address that browsers use and at that of the rate table, which calls the product `/ml`. */
export function trackingRow(
  method: Operation['method'],
  path: string,
  operation: string,
  summary: string,
  answer: (call: PlatformCall) => Promise<object>,
  { rated = `/ml/${path}`, ...rest }: Partial<Operation> = {},
): Operation {
  return {
    method,
    path: `/mlflow/${path}`,
    rated,
    bare: [...new Set([rated, `/ml/${path}`]), `/ajax-api/2.0/mlflow/${path}`],
    operation,
    summary,
    ...rest,
    code: routeCode([], { handle: async (call) => ok(await answer(call)) }),
  };
}

/** For operations whose answer is empty. */
const done = (action: (call: PlatformCall) => Promise<void>) => async (call: PlatformCall) => {
  await action(call);
  return {};
};

export const TRACKING_OPERATIONS: readonly Operation[] = [
  trackingRow('POST', 'experiments/create', 'experiments_create', 'Creates an experiment', async (call) => ({
    experiment_id: await createExperiment(call),
  })),
  trackingRow(
    'POST',
    'experiments/set-experiment-tag',
    'experiments_setTag',
    'Sets a tag of an experiment',
    done(setExperimentTag),
  ),
  trackingRow(
    'POST',
    'experiments/delete-experiment-tag',
    'experiments_deleteTag',
    'Deletes a tag of an experiment',
    done(deleteExperimentTag),
  ),
  trackingRow('POST', 'runs/create', 'trackedRuns_create', 'Creates a run', async (call) => ({
    run: await runView(call.jar.store, await createRun(call)),
  })),
  trackingRow('GET', 'runs/get', 'trackedRuns_get', 'Reads a run', async (call) => {
    const { store } = call.jar;
    return { run: await runView(store, await findRun(store, call, runIdIn(Request.of(call)), 'CAN_READ')) };
  }),
  trackingRow(
    'POST',
    'runs/log-batch',
    'trackedRuns_logBatch',
    'Logs metrics, parameters and tags together',
    done(logBatch),
    {
      accepts: 'bytes',
      bodyLimitBytes: BATCH_BODY_BYTES,
    },
  ),
  trackingRow(
    'POST',
    'runs/log-inputs',
    'trackedRuns_logInputs',
    'Logs datasets that a run was given',
    done(logInputs),
  ),
  trackingRow('POST', 'runs/outputs', 'trackedRuns_logOutputs', 'Logs models that a run made', done(logOutputs)),
];
