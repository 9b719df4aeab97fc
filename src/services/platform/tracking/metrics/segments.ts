import { allOf, atLeast, atMost, pagesOf, type Reader, type Stored, type Tx } from '../../../../kernel/store/index.ts';
import { type MeasuredOn, type MetricSegment, metricSegments, type SegmentTail } from '../collections.ts';
import { comparePoints, orderOf, type Point } from './points.ts';

/**
 * Histories of metrics, stored in segments. Points after all logged points (the usual case) go into the last segment while that is short,
 * or into a new segment; so a request of 1,000 points writes one document. Other points are merged into the segments that they belong to.
 */

/** Maximum of a request, so its points fit into one segment. */
const LONGEST = 1000;
/** Maximum length of a segment that is rewritten when points are logged one by one. */
const SHORT = 64;

const segmentKey = (series: string, first: Point): string => `${series}/${orderOf(first)}`;

const segmentOf = (points: readonly Point[]): MetricSegment =>
  joinedSegment({ since: points[0]?.timestamp ?? 0, after: [], steps: [], values: [] }, points);

function joinedSegment({ since, after, steps, values, on }: MetricSegment, points: readonly Point[]): MetricSegment {
  const joined = { since, after: [...after], steps: [...steps], values: [...values] };
  let measured: Record<string, MeasuredOn> | undefined = on && { ...on };
  for (const { timestamp, step, value, on: measuredOn } of points) {
    if (measuredOn) {
      measured ??= {};
      measured[joined.values.length] = measuredOn;
    }
    joined.after.push(timestamp - since);
    joined.steps.push(step);
    joined.values.push(value);
  }
  return measured ? { ...joined, on: measured } : joined;
}

export const pointsIn = ({ since, after, steps, values, on }: MetricSegment): readonly Point[] =>
  values.map((value, index) => {
    const point = { value, timestamp: since + (after[index] as number), step: steps[index] as number };
    const measured = on?.[index];
    return measured ? { ...point, on: measured } : point;
  });

/** Sorts the points and removes duplicates. */
export function inOrder(points: readonly Point[]): readonly Point[] {
  const isOrdered = points.every((point, i) => i === 0 || comparePoints(points[i - 1] as Point, point) < 0);
  if (isOrdered) return points;
  const sorted = points.toSorted(comparePoints);
  return sorted.filter((point, i) => i === 0 || comparePoints(sorted[i - 1] as Point, point) !== 0);
}

/** The points that a request adds to the history of one metric. */
export interface Addition {
  readonly series: string;
  readonly tail: SegmentTail | undefined;
  /** Sorted, without duplicates. */
  readonly points: readonly Point[];
}

export interface Added {
  /** Number of points that were new. */
  readonly count: number;
  readonly tail: SegmentTail;
}

/**
 * Called in a transaction that has locked the run: adds points to several histories, with as few statements as for one. The results have
 * the order of the additions.
 */
export async function addPoints(tx: Tx, additions: readonly Addition[]): Promise<readonly Added[]> {
  const ends: { readonly count: number; readonly addition: Addition }[] = [];
  for (const addition of additions) {
    const { series, tail, points } = addition;
    const border = tail ? points.findIndex((point) => comparePoints(point, tail.last) > 0) : 0;
    const [within, behind] = border < 0 ? [points, []] : [points.slice(0, border), points.slice(border)];
    const count = within.length === 0 ? 0 : await mergePoints(tx, series, within);
    const end = count > 0 ? await lastSegment(tx, series) : tail;
    ends.push({ count, addition: { series, tail: end, points: behind } });
  }
  const tails = await readTails(tx, ends);
  const writes = new Map<string, MetricSegment>();
  const added = ends.map(({ count, addition }) => ({
    count: count + addition.points.length,
    tail: append(addition, tails, writes),
  }));
  await tx.putAll(metricSegments, writes);
  return added;
}

/** Reads the last segments that get further points. */
async function readTails(
  tx: Tx,
  ends: readonly { readonly addition: Addition }[],
): Promise<ReadonlyMap<string, MetricSegment>> {
  const keys = ends.flatMap(({ addition: { tail, points } }) =>
    tail && points.length > 0 && tail.count + points.length <= SHORT ? [tail.key] : [],
  );
  if (keys.length === 0) return new Map();
  const filter = { op: 'in', field: 'key', values: keys } as const;
  const { items } = await tx.query(metricSegments, { filter, limit: keys.length });
  return new Map(items.map(({ key, value }) => [key, value]));
}

/** Appends points after all others: to the last segment while that is short, otherwise in new segments. */
function append(
  { series, tail, points }: Addition,
  tails: ReadonlyMap<string, MetricSegment>,
  writes: Map<string, MetricSegment>,
): SegmentTail {
  if (tail && points.length === 0) return tail;
  const joined = tail && tails.get(tail.key);
  if (joined) {
    writes.set(tail.key, joinedSegment(joined, points));
    return { ...tailOf(tail.key, points), count: tail.count + points.length };
  }
  const parts = chunks(points, LONGEST);
  for (const part of parts) writes.set(segmentKey(series, part[0] as Point), segmentOf(part));
  const last = parts.at(-1) as readonly Point[];
  return tailOf(segmentKey(series, last[0] as Point), last);
}

const tailOf = (key: string, points: readonly Point[]): SegmentTail => {
  const { timestamp, step, value } = points.at(-1) as Point;
  return { key, count: points.length, last: { timestamp, step, value } };
};

function chunks(points: readonly Point[], most: number): readonly (readonly Point[])[] {
  const count = Math.ceil(points.length / most);
  const size = Math.ceil(points.length / count);
  return Array.from({ length: count }, (_, i) => points.slice(i * size, (i + 1) * size));
}

/** Number of segments that one query reads. */
const WINDOW = 32;

type StoredSegment = Stored<MetricSegment>;

/** Merges points before the end of the history into the segments that they belong to. Returns the number of new points. */
async function mergePoints(tx: Tx, series: string, points: readonly Point[]): Promise<number> {
  let added = 0;
  for (let left = points; left.length > 0; ) {
    const { segments, more } = await segmentsOf(tx, series, left);
    // Points that fall into the last segment of a window may belong to a later segment.
    const border = more ? segments.at(-1)?.key : undefined;
    const end = border === undefined ? -1 : left.findIndex((point) => segmentKey(series, point) >= border);
    const [some, rest] = end < 0 ? [left, []] : [left.slice(0, end), left.slice(end)];
    added += await mergeInto(tx, series, segments, some);
    left = rest;
  }
  return added;
}

/** The segments that points belong to, at most one window of them. Points before all segments belong to the first. */
async function segmentsOf(tx: Tx, series: string, points: readonly Point[]) {
  const [first, last] = [points[0], points.at(-1)].map((point) => segmentKey(series, point as Point)) as [
    string,
    string,
  ];
  const prefix = `${series}/`;
  const order = [{ field: 'key' }];
  const downwards = [{ field: 'key', descending: true }];
  const from = await tx.query(metricSegments, { prefix, filter: atMost('key', first), order: downwards, limit: 1 });
  const range = allOf({ op: 'gt', field: 'key', value: first }, atMost('key', last));
  const behind = await tx.query(metricSegments, { prefix, filter: range, order, limit: WINDOW });
  const segments = [...from.items, ...behind.items];
  if (segments.length > 0) return { segments, more: behind.next !== undefined };
  return { segments: (await tx.query(metricSegments, { prefix, order, limit: 1 })).items, more: false };
}

/** Writes only segments that get points. */
async function mergeInto(
  tx: Tx,
  series: string,
  segments: readonly StoredSegment[],
  points: readonly Point[],
): Promise<number> {
  let [added, at] = [0, 0];
  const writes = new Map<string, MetricSegment>();
  for (const [index, { key, value }] of segments.entries()) {
    const start = at;
    const next = segments[index + 1]?.key;
    while (at < points.length && (next === undefined || segmentKey(series, points[at] as Point) < next)) at++;
    if (at === start) continue;
    const before = pointsIn(value);
    const merged = mergedPoints(before, points.slice(start, at));
    if (merged.length === before.length) continue;
    added += merged.length - before.length;
    const parts = chunks(merged, SHORT).map((part) => [segmentKey(series, part[0] as Point), segmentOf(part)] as const);
    if (parts[0]?.[0] !== key) await tx.delete(metricSegments, key);
    for (const [partKey, part] of parts) writes.set(partKey, part);
  }
  await tx.putAll(metricSegments, writes);
  return added;
}

/** Merges two sorted lists. A point in both keeps its form in the first list. */
function mergedPoints(before: readonly Point[], added: readonly Point[]): readonly Point[] {
  const merged: Point[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < added.length) {
    const [a, b] = [before[i], added[j]];
    const order = a && b ? comparePoints(a, b) : a ? -1 : 1;
    merged.push((order <= 0 ? a : b) as Point);
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  return merged;
}

async function lastSegment(tx: Tx, series: string): Promise<SegmentTail | undefined> {
  const order = [{ field: 'key', descending: true }];
  const { items } = await tx.query(metricSegments, { prefix: `${series}/`, order, limit: 1 });
  return items[0] && tailOf(items[0].key, pointsIn(items[0].value));
}

/** Number of segments per read: usually some thousands of points. */
const READ_AT_ONCE = 16;

/** The history after a position, in parts. Reads nothing before the position except the rest of its segment. */
export async function* pointsAfter(
  reader: Pick<Reader, 'query'>,
  series: string,
  after?: string,
): AsyncGenerator<readonly Point[]> {
  const prefix = `${series}/`;
  let from = prefix;
  if (after !== undefined) {
    const filter = { op: 'le', field: 'key', value: prefix + after } as const;
    const order = [{ field: 'key', descending: true }];
    const { items } = await reader.query(metricSegments, { prefix, filter, order, limit: 1 });
    from = items[0]?.key ?? prefix;
  }
  const query = { prefix, filter: atLeast('key', from), order: [{ field: 'key' }], page: READ_AT_ONCE };
  let place = after;
  for await (const segments of pagesOf(reader, metricSegments, query)) {
    const points = segments.flatMap(({ value }) => pointsIn(value));
    const passed = place;
    // The first segment contains the position or starts after it.
    const start = passed === undefined ? 0 : points.findIndex((point) => orderOf(point) > passed);
    yield start < 0 ? [] : points.slice(start);
    place = undefined;
  }
}
