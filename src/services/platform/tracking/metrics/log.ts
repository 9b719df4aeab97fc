import { shortId } from '../../../../kernel/ids/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { isObject, omitAbsent } from '../../../../kernel/values/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { takeCount } from '../../limits/take.ts';
import {
  type MeasuredOn,
  type RunMetric,
  runMetrics,
  type SegmentTail,
  type TrackedRun,
  valueKey,
} from '../collections.ts';
import { addModelMetrics } from '../models/metrics.ts';
import { checkLength, checkName, LONGEST_DATASET, LONGEST_MODEL_ID } from '../names.ts';
import type { Request } from '../request.ts';
import { isLater, type Point } from './points.ts';
import { addPoints, inOrder } from './segments.ts';

/** A point in a request. */
export interface SentMetric extends Point {
  readonly name: string;
}

export function readMetric(request: Request): SentMetric {
  const name = request.need('key');
  checkName(name, request.path('key'), 'Metric name');
  const value = request.needValue('value');
  const timestamp = request.needWhole('timestamp');
  if (timestamp < 0)
    throw request.invalid('timestamp', timestamp, 'Timestamps are milliseconds since 1970 and must not be negative.');
  const step = request.whole('step') ?? 0;
  const on = readMeasuredOn(request);
  return on ? { name, value, timestamp, step, on } : { name, value, timestamp, step };
}

/** The metrics of a batch. The caller has already checked their number. */
export const readMetrics = (request: Request): readonly SentMetric[] =>
  plainMetrics(request.value('metrics')) ?? request.list('metrics').map(readMetric);

/**
 * Fast path: nearly all batches consist of a few repeated names with three numbers each. Reading them directly is several times faster than
 * member by member. Returns undefined if any entry differs from that form.
 */
function plainMetrics(sent: unknown): readonly SentMetric[] | undefined {
  if (!Array.isArray(sent)) return undefined;
  const metrics: SentMetric[] = [];
  const names = new Set<string>();
  for (const each of sent) {
    if (!isObject(each)) return undefined;
    const { key: name, value, timestamp, step = 0, model_id, dataset_name, dataset_digest } = each;
    const isPlain =
      typeof name === 'string' &&
      name !== '' &&
      Number.isFinite(value) &&
      Number.isSafeInteger(timestamp) &&
      Number(timestamp) >= 0 &&
      Number.isSafeInteger(step) &&
      (model_id ?? dataset_name ?? dataset_digest) === undefined;
    if (!isPlain) return undefined;
    if (!names.has(name)) checkName(name, `metrics[${metrics.length}].key`, 'Metric name');
    names.add(name);
    // Turns -0 into 0.
    metrics.push({ name, value: Number(value) + 0, timestamp: Number(timestamp) + 0, step: Number(step) + 0 });
  }
  return metrics;
}

function readMeasuredOn(request: Request): MeasuredOn | undefined {
  const modelId = request.text('model_id') || undefined;
  const datasetName = request.text('dataset_name') || undefined;
  const datasetDigest = request.text('dataset_digest') || undefined;
  // Most metrics have no model and no dataset.
  if (modelId === undefined && datasetName === undefined && datasetDigest === undefined) return undefined;
  checkLength(modelId ?? '', request.path('model_id'), LONGEST_MODEL_ID);
  checkLength(datasetName ?? '', request.path('dataset_name'), LONGEST_DATASET.name);
  checkLength(datasetDigest ?? '', request.path('dataset_digest'), LONGEST_DATASET.digest);
  return omitAbsent({ modelId, datasetName, datasetDigest });
}

/** Long enough to be unique across nodes. */
const SERIES_LENGTH = 16;

/** Called in a transaction that has locked the run. Skips points that are already logged, by this request or an earlier one. */
export async function addMetrics(
  tx: Tx,
  jar: Pick<PlatformJar, 'limits'>,
  run: TrackedRun,
  metrics: readonly SentMetric[],
): Promise<void> {
  if (metrics.length === 0) return;
  await addModelMetrics(tx, jar, run, metrics);
  const sent = byName(metrics);
  const known = await latestOf(tx, run, sent.keys());
  const additions = Array.from(sent, ([name, points]) => {
    const before = known.get(name);
    const series = before?.series ?? shortId(SERIES_LENGTH);
    return { name, before, series, tail: before?.tail, points: inOrder(points) };
  });
  const added = await addPoints(tx, additions);
  const changed: RunMetric[] = [];
  let count = 0;
  for (const [index, { name, before, series, points }] of additions.entries()) {
    const { count: fresh, tail } = added[index] as (typeof added)[number];
    if (fresh > 0) changed.push(latestMetric(run, name, series, tail, before ? [before, ...points] : points));
    count += fresh;
  }
  if (count === 0) return;
  await takeCount(tx, jar, { row: 'run-metric-steps', scope: [run.workspaceId, run.id], count });
  await tx.putAll(
    runMetrics,
    changed.map((metric) => [valueKey(run.workspaceId, run.id, metric.name), metric] as const),
  );
}

function byName(metrics: readonly SentMetric[]): ReadonlyMap<string, readonly Point[]> {
  const all = new Map<string, Point[]>();
  for (const metric of metrics) {
    const points = all.get(metric.name);
    if (points) points.push(metric);
    else all.set(metric.name, [metric]);
  }
  return all;
}

function latestMetric(
  { workspaceId, experimentId, id: runId, startTime }: TrackedRun,
  name: string,
  series: string,
  tail: SegmentTail,
  points: readonly Point[],
): RunMetric {
  const { value, timestamp, step, on } = points.reduce((latest, point) => (isLater(point, latest) ? point : latest));
  const latest = { workspaceId, experimentId, runId, startTime, name, value, timestamp, step, series, tail };
  return on ? { ...latest, on } : latest;
}

/** The latest values of these metrics. */
async function latestOf(
  tx: Tx,
  { workspaceId, id }: TrackedRun,
  names: Iterable<string>,
): Promise<ReadonlyMap<string, RunMetric>> {
  const keys = Array.from(names, (name) => valueKey(workspaceId, id, name));
  const filter = { op: 'in', field: 'key', values: keys } as const;
  const { items } = await tx.query(runMetrics, { filter, limit: keys.length });
  return new Map(items.map(({ value }) => [value.name, value]));
}
