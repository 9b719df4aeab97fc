import type { Operation } from '../operation.ts';
import { ARTIFACT_OPERATIONS } from './artifacts/operations.ts';
import { createExperiment } from './experiments/create.ts';
import { getExperiment, getExperimentByName, listExperiments } from './experiments/read.ts';
import { deleteExperimentTag, setExperimentTag } from './experiments/tags.ts';
import { deleteExperiment, renameExperiment, restoreExperiment } from './experiments/update.ts';
import { bulkHistory, bulkInterval } from './metrics/bulk.ts';
import { metricHistory } from './metrics/history.ts';
import { Request } from './request.ts';
import { done, trackingRow } from './row.ts';
import { createRun } from './runs/create.ts';
import { findRun, runIdIn } from './runs/find.ts';
import { logInputs, logOutputs } from './runs/inputs.ts';
import { deleteTag, logMetric, logParam, setTag } from './runs/log.ts';
import { BATCH_BODY_BYTES, logBatch } from './runs/log-batch.ts';
import { logModel } from './runs/log-model.ts';
import { deleteRun, deleteRuns, restoreRun, restoreRuns } from './runs/remove.ts';
import { updateRun } from './runs/update.ts';
import { runInfo, runView } from './runs/view.ts';

type Answer = Parameters<typeof trackingRow>[4];
type Rest = Parameters<typeof trackingRow>[5];

const experiment = (method: 'GET' | 'POST', path: string, name: string, summary: string, answer: Answer): Operation =>
  trackingRow(method, `experiments/${path}`, `experiments_${name}`, `Experiments: ${summary}`, answer);

const run = (
  method: 'GET' | 'POST',
  path: string,
  name: string,
  summary: string,
  answer: Answer,
  rest: Rest = {},
): Operation => trackingRow(method, `runs/${path}`, `trackedRuns_${name}`, `Tracked runs: ${summary}`, answer, rest);

const metric = (path: string, name: string, summary: string, answer: Answer): Operation =>
  trackingRow('GET', `metrics/${path}`, `metrics_${name}`, `Metrics: ${summary}`, answer);

const many = (path: string, name: string, summary: string, answer: Answer): Operation =>
  trackingRow('POST', `databricks/runs/${path}`, `trackedRuns_${name}`, `Tracked runs: ${summary}`, answer);

export const TRACKING_OPERATIONS: readonly Operation[] = [
  experiment('POST', 'create', 'create', 'create one', async (call) => ({
    experiment_id: await createExperiment(call),
  })),
  experiment('GET', 'get', 'get', 'read one', getExperiment),
  experiment('GET', 'get-by-name', 'getByName', 'read one by its name', getExperimentByName),
  experiment('GET', 'list', 'list', 'list them, the newest first', listExperiments),
  experiment('POST', 'update', 'update', 'rename one', done(renameExperiment)),
  experiment('POST', 'delete', 'delete', 'delete one with its runs', done(deleteExperiment)),
  experiment('POST', 'restore', 'restore', 'restore a deleted one', done(restoreExperiment)),
  experiment('POST', 'set-experiment-tag', 'setTag', 'set a tag', done(setExperimentTag)),
  experiment('POST', 'delete-experiment-tag', 'deleteTag', 'delete a tag', done(deleteExperimentTag)),
  run('POST', 'create', 'create', 'create one', async (call) => ({
    run: await runView(call.jar.store, await createRun(call)),
  })),
  run('GET', 'get', 'get', 'read one, with the latest values of its metrics', async (call) => {
    const { store } = call.jar;
    return { run: await runView(store, await findRun(store, call, runIdIn(Request.of(call)), 'CAN_READ')) };
  }),
  run('POST', 'update', 'update', 'change status, end or name', async (call) => ({
    run_info: runInfo(await updateRun(call)),
  })),
  run('POST', 'delete', 'delete', 'delete one', done(deleteRun)),
  run('POST', 'restore', 'restore', 'restore a deleted one', done(restoreRun)),
  run('POST', 'set-tag', 'setTag', 'set a tag', done(setTag)),
  run('POST', 'delete-tag', 'deleteTag', 'delete a tag', done(deleteTag)),
  run('POST', 'log-metric', 'logMetric', 'log a point of a metric', done(logMetric)),
  run('POST', 'log-parameter', 'logParam', 'log a parameter', done(logParam), { rated: '/ml/runs/log-param' }),
  run('POST', 'log-batch', 'logBatch', 'log metrics, parameters and tags together', done(logBatch), {
    accepts: 'bytes',
    bodyLimitBytes: BATCH_BODY_BYTES,
  }),
  run('POST', 'log-model', 'logModel', 'log a model', done(logModel)),
  run('POST', 'log-inputs', 'logInputs', 'log the input datasets and models of one', done(logInputs)),
  run('POST', 'outputs', 'logOutputs', 'log the output models of one', done(logOutputs)),
  many('delete-runs', 'deleteMany', 'delete runs that started up to a time', async (call) => ({
    runs_deleted: await deleteRuns(call),
  })),
  many('restore-runs', 'restoreMany', 'restore runs that were deleted from a time on', async (call) => ({
    runs_restored: await restoreRuns(call),
  })),
  metric('get-history', 'getHistory', 'all points of a metric', metricHistory),
  metric('get-history-bulk', 'getHistoryBulk', 'points of a metric in several runs', bulkHistory),
  metric('get-history-bulk-interval', 'getHistoryBulkInterval', 'points at some steps, in several runs', bulkInterval),
  ...ARTIFACT_OPERATIONS,
];
