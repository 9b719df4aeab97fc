import { nextTurn } from '../../../../kernel/time/index.ts';
import type { PlatformCall } from '../../jar.ts';
import type { RunMetric } from '../collections.ts';
import { trackingErrors } from '../errors.ts';
import { mostResults } from '../paging.ts';
import { Request } from '../request.ts';
import { findRun } from '../runs/find.ts';
import { metricView } from '../runs/view.ts';
import { findMetric, metricNameIn } from './history.ts';
import type { Point } from './points.ts';
import { pointsAfter } from './segments.ts';

/** Histories of one metric in several runs, for charts. */

const MOST_RUNS = 100;
const SAMPLES = { usual: 320, most: 2500 };
const BULK = { usual: 25_000, most: 25_000 };

function runIdsIn(request: Request, name: string): readonly string[] {
  const ids = request.texts(name);
  if (ids.length === 0) throw request.missing(name);
  if (ids.length > MOST_RUNS)
    throw trackingErrors.INVALID_PARAMETER_VALUE({
      reason: `GetMetricHistoryBulk request cannot specify more than ${MOST_RUNS} run_ids. Received ${ids.length} run_ids.`,
    });
  return [...new Set(ids)];
}

/** The metric in each of these runs that has logged it. */
async function metricsOf(call: PlatformCall, ids: readonly string[], name: string): Promise<readonly RunMetric[]> {
  const found: RunMetric[] = [];
  for (const id of ids) {
    const { run } = await findRun(call.jar.store, call, id, 'CAN_READ');
    const metric = await findMetric(call.jar.store, run, name);
    if (metric) found.push(metric);
  }
  return found;
}

/** A history in parts. Yields to other requests between parts. */
async function* partsOf({ jar }: PlatformCall, { series }: RunMetric): AsyncGenerator<readonly Point[]> {
  for await (const part of pointsAfter(jar.store, series)) {
    yield part;
    await new Promise<void>(nextTurn);
  }
}

/** The first points of a history that satisfy a predicate, up to a limit. */
async function somePoints(
  call: PlatformCall,
  metric: RunMetric,
  most: number,
  isShown: (point: Point) => boolean = () => true,
): Promise<readonly object[]> {
  const found: object[] = [];
  for await (const part of partsOf(call, metric)) {
    for (const point of part)
      if (isShown(point)) found.push({ ...metricView(metric.name, point), run_id: metric.runId });
    if (found.length >= most) break;
  }
  return found.slice(0, most);
}

/** `metrics/get-history-bulk`: the complete histories one after another, up to a number of points. */
export async function bulkHistory(call: PlatformCall) {
  const request = Request.of(call);
  const ids = runIdsIn(request, request.has('run_id') ? 'run_id' : 'run_ids');
  const name = metricNameIn(request);
  let left = mostResults(request, BULK);
  const metrics: object[] = [];
  for (const metric of await metricsOf(call, ids, name)) {
    if (left === 0) break;
    const points = await somePoints(call, metric, left);
    metrics.push(...points);
    left -= points.length;
  }
  return { metrics };
}

/**
 * `metrics/get-history-bulk-interval`: the points of all runs at selected steps within a range. Of all steps that occur in any of the runs,
 * up to `max_results` are selected, evenly spread and including the first and the last.
 */
export async function bulkInterval(call: PlatformCall) {
  const request = Request.of(call);
  const ids = runIdsIn(request, 'run_ids');
  const name = metricNameIn(request);
  const most = mostResults(request, SAMPLES);
  const isWanted = stepsIn(request);
  const all = await metricsOf(call, ids, name);
  let steps: ReadonlySet<number> = new Set<number>();
  for (const metric of all) steps = await withStepsOf(call, metric, isWanted, steps);
  const chosen = spread(steps, most);
  const metrics: object[] = [];
  for (const metric of all) {
    const points = await somePoints(call, metric, MOST_OF_A_RUN, ({ step }) => chosen.has(step));
    for (const point of points) metrics.push(point);
  }
  return { metrics };
}

/** Limit per run, because many points may have the same step. */
const MOST_OF_A_RUN = 10_000;
/** Limit of distinct steps over all runs: as many as one run may have. */
const MOST_STEPS = 1_000_000;

async function withStepsOf(
  call: PlatformCall,
  metric: RunMetric,
  isWanted: (step: number) => boolean,
  known: ReadonlySet<number>,
): Promise<ReadonlySet<number>> {
  let steps = new Set(known);
  for await (const part of partsOf(call, metric)) {
    for (const { step } of part) if (isWanted(step)) steps.add(step);
    if (steps.size > MOST_STEPS) steps = new Set(spread(steps, MOST_STEPS / 2));
  }
  return steps;
}

function stepsIn(request: Request): (step: number) => boolean {
  const [first, last] = [request.whole('start_step'), request.whole('end_step')];
  if ((first === undefined) !== (last === undefined))
    throw trackingErrors.INVALID_PARAMETER_VALUE({
      reason: 'If either start step or end step are specified, both must be specified.',
    });
  if (first === undefined || last === undefined) return () => true;
  if (first > last)
    throw trackingErrors.INVALID_PARAMETER_VALUE({
      reason: `end_step must be greater than start_step. Found start_step=${first} and end_step=${last}.`,
    });
  return (step) => step >= first && step <= last;
}

/** Selects `most` of these steps, evenly spread, including the first and the last. */
function spread(steps: ReadonlySet<number>, most: number): ReadonlySet<number> {
  if (steps.size <= most) return steps;
  const sorted = Float64Array.from(steps).sort();
  const width = (sorted.length - 1) / Math.max(1, most - 1);
  return new Set(Array.from({ length: most }, (_, i) => sorted[Math.round(i * width)] as number));
}
