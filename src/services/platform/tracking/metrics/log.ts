import { shortId } from '../../../../kernel/ids/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { omitAbsent } from '../../../../kernel/values/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { takeCount } from '../../limits/take.ts';
import {
  type MeasuredOn,
  type MetricPoint,
  metricPoints,
  type RunMetric,
  runMetrics,
  type TrackedRun,
  valueKey,
} from '../collections.ts';
import { addModelMetrics } from '../models/metrics.ts';
import { checkName } from '../names.ts';
import type { Request } from '../request.ts';
import { isLater, type Point, pointKey, stepText } from './point-key.ts';

/** A point as a request has it. */
export interface SentMetric extends Point {
  readonly name: string;
  readonly on?: MeasuredOn;
}

export function readMetric(request: Request): SentMetric {
  const name = request.need('key');
  checkName(name, request.path('key'), 'Metric name');
  const value = request.needValue('value');
  const timestamp = request.needWhole('timestamp');
  if (timestamp < 0)
    throw request.invalid('timestamp', timestamp, 'Timestamps are milliseconds since 1970 and must not be negative.');
  const on: MeasuredOn = omitAbsent({
    modelId: request.text('model_id') || undefined,
    datasetName: request.text('dataset_name') || undefined,
    datasetDigest: request.text('dataset_digest') || undefined,
  });
  const point = { name, value, timestamp, step: request.whole('step') ?? 0 };
  return Object.keys(on).length === 0 ? point : { ...point, on };
}

/** Long enough that no two series have the same, on any node. */
const SERIES_LENGTH = 16;

/** What a request adds to one metric. */
class Addition {
  readonly points = new Map<string, MetricPoint>();
  readonly before: RunMetric | undefined;
  readonly series: string;
  #latest: RunMetric | undefined;
  #lastKey: string;

  constructor(before: RunMetric | undefined) {
    this.before = before;
    this.series = before?.series ?? shortId(SERIES_LENGTH);
    this.#latest = before;
    this.#lastKey = before?.lastKey ?? '';
  }

  /** Gives the key of the point where it may have been logged before: there are later ones. */
  add({ workspaceId, experimentId, id: runId, startTime }: TrackedRun, metric: SentMetric): string | undefined {
    const { name, value, timestamp, step, on } = metric;
    const key = pointKey(this.series, metric);
    if (this.points.has(key)) return undefined;
    const at = this.series + stepText(step);
    this.points.set(key, on ? { at, on } : { at });
    if (key > this.#lastKey) this.#lastKey = key;
    if (!this.#latest || isLater(metric, this.#latest)) {
      const { series } = this;
      const point = { name, value, timestamp, step, series, lastKey: this.#lastKey };
      const latest = { workspaceId, experimentId, runId, startTime, ...point };
      this.#latest = on ? { ...latest, on } : latest;
    }
    return this.before && key <= this.before.lastKey ? key : undefined;
  }

  /** The latest value, where that or the end of the history is another than before. */
  get changed(): RunMetric | undefined {
    const latest = this.#latest;
    if (!latest || (latest === this.before && latest.lastKey === this.#lastKey)) return undefined;
    return latest.lastKey === this.#lastKey ? latest : { ...latest, lastKey: this.#lastKey };
  }
}

/** In a transaction that holds the run. Points that were logged before are passed over, whether in this request or an earlier one. */
export async function addMetrics(
  tx: Tx,
  jar: Pick<PlatformJar, 'limits'>,
  run: TrackedRun,
  metrics: readonly SentMetric[],
): Promise<void> {
  if (metrics.length === 0) return;
  await addModelMetrics(tx, jar, run, metrics);
  const additions = new Map<string, Addition>();
  const known = await latestOf(tx, run, new Set(metrics.map(({ name }) => name)));
  const doubtful = new Map<string, Addition>();
  for (const metric of metrics) {
    let addition = additions.get(metric.name);
    if (!addition) {
      addition = new Addition(known.get(metric.name));
      additions.set(metric.name, addition);
    }
    const key = addition.add(run, metric);
    if (key !== undefined) doubtful.set(key, addition);
  }
  for (const key of await existing(tx, [...doubtful.keys()])) doubtful.get(key)?.points.delete(key);
  const points = [...additions.values()].flatMap((addition) => [...addition.points]);
  if (points.length === 0) return;
  await takeCount(tx, jar, { row: 'run-metric-steps', scope: [run.workspaceId, run.id], count: points.length });
  await tx.putAll(metricPoints, points);
  await tx.putAll(runMetrics, changedOf(additions.values()));
}

function* changedOf(additions: Iterable<Addition>): Generator<readonly [string, RunMetric]> {
  for (const { changed } of additions)
    if (changed) yield [valueKey(changed.workspaceId, changed.runId, changed.name), changed];
}

/** The latest values of these metrics. */
async function latestOf(
  tx: Tx,
  { workspaceId, id }: TrackedRun,
  names: ReadonlySet<string>,
): Promise<ReadonlyMap<string, RunMetric>> {
  const keys = [...names].map((name) => valueKey(workspaceId, id, name));
  const filter = { op: 'in', field: 'key', values: keys } as const;
  const { items } = await tx.query(runMetrics, { filter, limit: keys.length });
  return new Map(items.map(({ value }) => [value.name, value]));
}

async function existing(tx: Tx, keys: readonly string[]): Promise<readonly string[]> {
  if (keys.length === 0) return [];
  const filter = { op: 'in', field: 'key', values: keys } as const;
  const { items } = await tx.query(metricPoints, { filter, limit: keys.length });
  return items.map(({ key }) => key);
}
