import { type Collection, pagesOf, type Reader } from '../../../../kernel/store/index.ts';
import {
  type OfRun,
  type RunMetric,
  type RunText,
  runKey,
  runMetrics,
  runParams,
  runTags,
  type TrackedRun,
} from '../collections.ts';

/** The logged values of a run in responses; only the latest value of each metric. */
export interface RunData {
  readonly metrics: readonly RunMetric[];
  readonly params: readonly RunText[];
  readonly tags: readonly RunText[];
}

/** Number of runs per query. */
const RUNS_AT_ONCE = 100;
/** A run may log a metric with a different name at each step. A response shows at most this many, the first by name. */
const MOST_OF_A_RUN = 10_000;

type Reading = Pick<Reader, 'query'>;

/** The logged values of each of these runs, by run id; a few queries for all of them. */
export async function readRunData(
  reader: Reading,
  runs: readonly Pick<TrackedRun, 'workspaceId' | 'id'>[],
): Promise<ReadonlyMap<string, RunData>> {
  const data = new Map<string, RunData>();
  for (let start = 0; start < runs.length; start += RUNS_AT_ONCE) {
    const some = runs.slice(start, start + RUNS_AT_ONCE);
    const keys = some.map(({ workspaceId, id }) => runKey(workspaceId, id));
    const metrics = await valuesOf(reader, runMetrics, keys);
    const params = await valuesOf(reader, runParams, keys);
    const tags = await valuesOf(reader, runTags, keys);
    for (const [index, { id }] of some.entries()) {
      const key = keys[index] as string;
      data.set(id, { metrics: metrics.get(key) ?? [], params: params.get(key) ?? [], tags: tags.get(key) ?? [] });
    }
  }
  return data;
}

/** Values by the key of the run, ordered by name. If a run has more values than are shown, the query restarts after it. */
async function valuesOf<T extends OfRun>(
  reader: Reading,
  from: Collection<T>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, T[]>> {
  const found = new Map<string, T[]>();
  let left: readonly string[] = keys.toSorted();
  while (left.length > 0) left = await readSome(reader, from, left, found);
  return found;
}

async function readSome<T extends OfRun>(
  reader: Reading,
  from: Collection<T>,
  keys: readonly string[],
  found: Map<string, T[]>,
): Promise<readonly string[]> {
  const query = { filter: { op: 'in', field: 'run', values: keys }, order: [{ field: 'run' }] } as const;
  for await (const page of pagesOf(reader, from, query)) {
    for (const { value } of page) {
      const key = runKey(value.workspaceId, value.runId);
      const values = found.get(key);
      if (values) values.push(value);
      else found.set(key, [value]);
      if (values && values.length >= MOST_OF_A_RUN) return keys.slice(keys.indexOf(key) + 1);
    }
  }
  return [];
}
