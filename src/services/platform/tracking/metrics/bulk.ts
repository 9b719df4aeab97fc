import { allOf, atLeast, atMost, type Filter, type Stored } from '../../../../kernel/store/index.ts';
import { nextTurn } from '../../../../kernel/time/index.ts';
import type { PlatformCall } from '../../jar.ts';
import { type MetricPoint, metricPoints, type RunMetric, type TrackedRun } from '../collections.ts';
import { trackingErrors } from '../errors.ts';
import { mostResults } from '../paging.ts';
import { Request } from '../request.ts';
import { findRun } from '../runs/find.ts';
import { metricView } from '../runs/view.ts';
import { findMetric, metricNameIn } from './history.ts';
import { pointOf, stepText } from './point-key.ts';

/** Histories of one metric in several runs at once, for charts. */

const MOST_RUNS = 100;
const SAMPLES = { usual: 320, most: 2500 };
const BULK = { usual: 25_000, most: 25_000 };
/** Points of one step that are shown. Most steps have one, so a few are read at first. */
const MOST_AT_A_STEP = 100;
const FEW_AT_A_STEP = 4;
/** Others get their turn after so many. */
const QUERIES_AT_ONCE = 50;

type Found = Stored<MetricPoint>;

interface Series {
  readonly run: TrackedRun;
  readonly metric: RunMetric;
}

async function seriesOf(call: PlatformCall, ids: readonly string[], name: string): Promise<readonly Series[]> {
  const found: Series[] = [];
  for (const id of new Set(ids)) {
    const { run } = await findRun(call.jar.store, call, id, 'CAN_READ');
    const metric = await findMetric(call.jar.store, run, name);
    if (metric) found.push({ run, metric });
  }
  return found;
}

function runIdsIn(request: Request, name: string): readonly string[] {
  const ids = request.texts(name);
  if (ids.length === 0) throw request.missing(name);
  if (ids.length > MOST_RUNS)
    throw trackingErrors.INVALID_PARAMETER_VALUE({
      reason: `GetMetricHistoryBulk request cannot specify more than ${MOST_RUNS} run_ids. Received ${ids.length} run_ids.`,
    });
  return ids;
}

const shown = ({ run, metric }: Series, { key, value }: Found) => ({
  ...metricView(metric.name, pointOf(metric.series, key), value.on),
  run_id: run.id,
});

/** `metrics/get-history-bulk`: the whole histories one after another, up to a number of points. */
export async function bulkHistory(call: PlatformCall) {
  const { store } = call.jar;
  const request = Request.of(call);
  const ids = runIdsIn(request, request.has('run_id') ? 'run_id' : 'run_ids');
  const name = metricNameIn(request);
  let left = mostResults(request, BULK);
  const metrics: object[] = [];
  for (const series of await seriesOf(call, ids, name)) {
    if (left === 0) break;
    const { items } = await store.query(metricPoints, { prefix: series.metric.series, limit: left });
    for (const point of items) metrics.push(shown(series, point));
    left -= items.length;
  }
  return { metrics };
}

/**
 * `metrics/get-history-bulk-interval`: of each run, points at some of the steps between two steps, spread evenly over all runs, with the first and the last. Steps are
 * found by the index, one after another, so that the cost follows from what is shown and not from the length of the histories.
 */
export async function bulkInterval(call: PlatformCall) {
  const request = Request.of(call);
  const ids = runIdsIn(request, 'run_ids');
  const name = metricNameIn(request);
  const most = mostResults(request, SAMPLES);
  const range = rangeIn(request);
  const all = await seriesOf(call, ids, name);
  const metrics: object[] = [];
  const span = await spanOf(call, all, range);
  if (!span) return { metrics };
  for (const series of all) {
    for await (const point of sampled(call, series, span, most)) metrics.push(shown(series, point));
  }
  return { metrics };
}

interface Span {
  readonly first: number;
  readonly last: number;
}

function rangeIn(request: Request): Span {
  const [first, last] = [request.whole('start_step'), request.whole('end_step')];
  if ((first === undefined) !== (last === undefined))
    throw trackingErrors.INVALID_PARAMETER_VALUE({
      reason: 'If either start step or end step are specified, both must be specified.',
    });
  const range = { first: first ?? Number.MIN_SAFE_INTEGER, last: last ?? Number.MAX_SAFE_INTEGER };
  if (range.first > range.last)
    throw trackingErrors.INVALID_PARAMETER_VALUE({
      reason: `end_step must be greater than start_step. Found start_step=${range.first} and end_step=${range.last}.`,
    });
  return range;
}

const within = ({ metric: { series } }: Series, { first, last }: Span): Filter =>
  allOf(atLeast('at', series + stepText(first)), atMost('at', series + stepText(last)));

/** The first or last step of a series within a span. */
async function endOf(call: PlatformCall, series: Series, span: Span, descending: boolean): Promise<number | undefined> {
  const query = { filter: within(series, span), order: [{ field: 'at', descending }], limit: 1 };
  const { items } = await call.jar.store.query(metricPoints, query);
  return items[0] && stepAt(series, items[0]);
}

const stepAt = ({ metric }: Series, { key }: Found): number => pointOf(metric.series, key).step;

/** From the first to the last step that any of the series has within a range. */
async function spanOf(call: PlatformCall, all: readonly Series[], range: Span): Promise<Span | undefined> {
  const firsts: number[] = [];
  const lasts: number[] = [];
  for (const series of all) {
    const first = await endOf(call, series, range, false);
    const last = await endOf(call, series, range, true);
    if (first === undefined || last === undefined) continue;
    firsts.push(first);
    lasts.push(last);
  }
  return firsts.length === 0 ? undefined : { first: Math.min(...firsts), last: Math.max(...lasts) };
}

/** All points of a series within a span where these are at no more than `most` steps; otherwise those of the next step from each of so many places, and of the last. */
async function* sampled(call: PlatformCall, series: Series, span: Span, most: number): AsyncGenerator<Found> {
  const every = await someFrom(call, series, span, 2 * most);
  if (!every.more && new Set(every.points.map((point) => stepAt(series, point))).size <= most) {
    yield* every.points;
    return;
  }
  const width = (span.last - span.first) / Math.max(1, most - 1);
  let step = Number.NEGATIVE_INFINITY;
  for (let place = 0; place < most; place++) {
    const from = place === most - 1 ? await endOf(call, series, span, true) : span.first + Math.floor(width * place);
    if (from === undefined || from <= step) continue;
    const points = await pointsOfNext(call, series, { first: from, last: span.last });
    const first = points[0];
    if (!first) continue;
    step = stepAt(series, first);
    yield* points;
    if (place % QUERIES_AT_ONCE === 0) await new Promise<void>(nextTurn);
  }
}

/** The points at the first step within a span. */
async function pointsOfNext(call: PlatformCall, series: Series, span: Span): Promise<readonly Found[]> {
  const { points } = await someFrom(call, series, span, FEW_AT_A_STEP);
  const first = points[0];
  if (!first) return [];
  const step = stepAt(series, first);
  const same = points.filter((point) => stepAt(series, point) === step);
  if (same.length < FEW_AT_A_STEP) return same;
  return (await someFrom(call, series, { first: step, last: step }, MOST_AT_A_STEP)).points;
}

async function someFrom(call: PlatformCall, series: Series, span: Span, limit: number) {
  const query = { filter: within(series, span), order: [{ field: 'at' }], limit };
  const { items, next } = await call.jar.store.query(metricPoints, query);
  return { points: items, more: next !== undefined };
}
