import { dropCounts } from '../../../kernel/limits/index.ts';
import {
  allOf,
  atMost,
  type Collection,
  deleteSome,
  deletionSteps,
  eq,
  type Filter,
  type Query,
  SLICE,
  type Tx,
} from '../../../kernel/store/index.ts';
import { runInSteps, settle, workHandler } from '../../../kernel/work/index.ts';
import type { PlatformJar } from '../jar.ts';
import { quotaOf, type RowId } from '../limits/declared.ts';
import { removeArtifacts } from './artifacts/files.ts';
import {
  datasets,
  experimentKey,
  experiments,
  experimentTags,
  metricSegments,
  runDatasets,
  runKey,
  runMetrics,
  runModels,
  runParams,
  runTags,
  type TrackedRun,
  trackedRuns,
} from './collections.ts';
import { removingModels } from './models/lifecycle.ts';
import { RETENTION_MS } from './retention.ts';
import { TRACE_COLLECTIONS } from './traces/collections.ts';
import { PURGE_EXPERIMENT, PURGE_RUNS } from './work.ts';

/**
 * Removes documents that can no longer be restored. Works in batches, since a run may have a million points and an experiment half a
 * million runs.
 */

type Step = () => Promise<boolean>;

/** A segment usually has about ten kilobytes. */
const SEGMENTS_AT_ONCE = 100;

/** A step that removes a batch of metrics with their histories. */
export const removingMetrics =
  ({ store }: Pick<PlatformJar, 'store'>, query: Pick<Query, 'prefix' | 'filter'>): Step =>
  () =>
    store.transact(async (tx) => {
      let left = SEGMENTS_AT_ONCE;
      const { items } = await tx.query(runMetrics, { ...query, limit: SLICE });
      for (const { key, value } of items) {
        const removed = await deleteSome(tx, metricSegments, { prefix: `${value.series}/`, limit: left });
        left -= removed;
        if (left <= 0) return true;
        await tx.delete(runMetrics, key);
      }
      return items.length === SLICE;
    });

const OF_RUNS: readonly Collection<never>[] = [runParams, runTags, runDatasets, runModels];
const COUNTS_OF_RUNS: readonly RowId[] = ['run-metric-steps', 'run-parameters', 'run-tags'];
const COUNTS_OF_EXPERIMENTS: readonly RowId[] = ['experiment-runs', 'experiment-tags', 'logged-models'];

async function dropAll(tx: Tx, rows: readonly RowId[], scope: readonly string[]): Promise<void> {
  for (const row of rows) await dropCounts(tx, quotaOf(row), scope);
}

/** The steps that remove a run. Its document is removed last, so that interrupted work finds it again. */
function* removingRun(jar: PlatformJar, { workspaceId, experimentId, id }: TrackedRun): Generator<Step> {
  const key = runKey(workspaceId, id);
  yield removingMetrics(jar, { filter: eq('run', key) });
  for (const from of OF_RUNS) yield deletionSteps(jar.store, from, { filter: eq('run', key) });
  yield async () => {
    await jar.store.transact(async (tx) => {
      await removeArtifacts(tx, jar, workspaceId, [experimentId, id]);
      await dropAll(tx, COUNTS_OF_RUNS, [workspaceId, id]);
      await tx.delete(trackedRuns, key);
    });
    return false;
  };
}

/** Hides the run from all reads. Returns false if it was restored meanwhile, unless all runs of a purged experiment are removed. */
const condemn = ({ store }: PlatformJar, { workspaceId, id }: TrackedRun, isAll: boolean): Promise<boolean> =>
  store.transact(async (tx) => {
    const key = runKey(workspaceId, id);
    const run = (await tx.get(trackedRuns, key))?.value;
    if (!run || (run.stage === 'active' && !isAll)) return false;
    if (run.stage !== 'purged') await tx.put(trackedRuns, key, { ...run, stage: 'purged' });
    return true;
  });

/** The steps that remove the runs of a filter: all of them, or only deleted ones. */
async function* removingRuns(jar: PlatformJar, filter: Filter, isAll: boolean): AsyncGenerator<Step> {
  for (;;) {
    const { items } = await jar.store.query(trackedRuns, { filter, limit: SLICE });
    for (const { value } of items) if (await condemn(jar, value, isAll)) yield* removingRun(jar, value);
    if (items.length < SLICE) return;
  }
}

/** Removes the deleted runs of an experiment whose retention has passed; the item is rescheduled for the next run that becomes due. */
export const purgeRuns = workHandler(PURGE_RUNS, async (item, jar: PlatformJar, halt) => {
  const { workspaceId, id } = item.payload;
  const ofExperiment = eq('experiment', experimentKey(workspaceId, id));
  const due = allOf(ofExperiment, atMost('deletedAt', jar.clock.now() - RETENTION_MS));
  const finish: Step = async () => {
    await settle(jar.store, item, async (tx) => {
      const left = allOf(ofExperiment, { op: 'ne', field: 'deletedAt', value: null });
      const { items } = await tx.query(trackedRuns, { filter: left, order: [{ field: 'deletedAt' }], limit: 1 });
      const first = items[0]?.value.deletedAt;
      return first === undefined ? undefined : first + RETENTION_MS;
    });
    return false;
  };
  await runInSteps(item, jar, halt, inTurn(removingRuns(jar, due, false), [finish]));
});

async function* inTurn(...all: readonly (AsyncIterable<Step> | Iterable<Step>)[]): AsyncGenerator<Step> {
  for (const steps of all) yield* steps;
}

function* removingTraces({ store }: Pick<PlatformJar, 'store'>, experiment: string): Generator<Step> {
  for (const from of TRACE_COLLECTIONS as readonly Collection<never>[])
    yield deletionSteps(store, from, { filter: eq('experiment', experiment) });
}

export const purgeExperiment = workHandler(PURGE_EXPERIMENT, async (item, jar: PlatformJar, halt) => {
  const { workspaceId, id } = item.payload;
  const key = experimentKey(workspaceId, id);
  const isDeleted = await jar.store.transact(async (tx) => {
    const found = (await tx.get(experiments, key))?.value;
    if (found?.stage === 'deleted') await tx.put(experiments, key, { ...found, stage: 'purged' });
    else if (found?.stage !== 'purged') await tx.complete(item);
    return found !== undefined && found.stage !== 'active';
  });
  if (!isDeleted) return;
  const finish: Step = async () => {
    await jar.store.transact(async (tx) => {
      await tx.complete(item);
      await removeArtifacts(tx, jar, workspaceId, [id]);
      await dropAll(tx, COUNTS_OF_EXPERIMENTS, [workspaceId, id]);
      await tx.delete(experiments, key);
    });
    return false;
  };
  await runInSteps(
    item,
    jar,
    halt,
    inTurn(removingRuns(jar, eq('experiment', key), true), removingModels(jar, key), removingTraces(jar, key), [
      deletionSteps(jar.store, datasets, { prefix: `${key}/` }),
      deletionSteps(jar.store, experimentTags, { prefix: `${key}/` }),
      finish,
    ]),
  );
});
