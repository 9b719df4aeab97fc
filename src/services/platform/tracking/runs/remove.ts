import { allOf, atLeast, eq, type Filter, type Tx } from '../../../../kernel/store/index.ts';
import { nextTurn } from '../../../../kernel/time/index.ts';
import type { PlatformCall, PlatformJar } from '../../jar.ts';
import { freeCount, takeCount } from '../../limits/take.ts';
import { experimentKey, runKey, type TrackedRun, trackedRuns } from '../collections.ts';
import { trackingErrors } from '../errors.ts';
import { findActiveExperiment } from '../experiments/find.ts';
import { Request } from '../request.ts';
import { RETENTION_MS } from '../retention.ts';
import { PURGE_RUNS, purgeRunsId } from '../work.ts';
import { recordRun } from './change.ts';
import { findRun, lockActiveRun, runIdIn } from './find.ts';

/** Deleted runs can be restored. They do not count towards the limit of runs of their experiment. */

const scopeOf = ({ workspaceId, experimentId }: TrackedRun) =>
  ({ row: 'experiment-runs', scope: [workspaceId, experimentId] }) as const;

/** Called in a transaction that has locked these active runs of one experiment. */
async function markDeleted(tx: Tx, jar: PlatformJar, runs: readonly TrackedRun[]): Promise<void> {
  const [first] = runs;
  if (!first) return;
  const now = jar.clock.now();
  const { workspaceId, experimentId: id } = first;
  await freeCount(tx, jar, { ...scopeOf(first), count: runs.length });
  await tx.putAll(
    trackedRuns,
    runs.map((run) => [keyOf(run), { ...run, stage: 'deleted', deletedAt: now }]),
  );
  await tx.wake(PURGE_RUNS.at(now + RETENTION_MS, { workspaceId, id }, purgeRunsId(workspaceId, id)));
  for (const run of runs) await recordRun(tx, jar, 'delete', run);
}

const keyOf = ({ workspaceId, id }: TrackedRun): string => runKey(workspaceId, id);

/** Called in a transaction that has locked these deleted runs of one experiment. */
async function markActive(tx: Tx, jar: PlatformJar, runs: readonly TrackedRun[]): Promise<void> {
  const [first] = runs;
  if (!first) return;
  await takeCount(tx, jar, { ...scopeOf(first), count: runs.length });
  await tx.putAll(
    trackedRuns,
    runs.map(({ deletedAt: _deletedAt, ...run }) => [keyOf(run), { ...run, stage: 'active' }]),
  );
  for (const run of runs) await recordRun(tx, jar, 'restore', run);
}

/** `runs/delete`. */
export async function deleteRun(call: PlatformCall): Promise<void> {
  const id = runIdIn(Request.of(call));
  await call.jar.store.transact(async (tx) => {
    const { run } = await lockActiveRun(tx, call, id);
    await markDeleted(tx, call.jar, [run]);
  });
}

/** `runs/restore`. */
export async function restoreRun(call: PlatformCall): Promise<void> {
  const id = runIdIn(Request.of(call));
  await call.jar.store.transact(async (tx) => {
    const { run, experiment } = await findRun(tx, call, id, 'CAN_EDIT', 'update');
    if (experiment.stage !== 'active')
      throw trackingErrors.INVALID_PARAMETER_VALUE__ExperimentDeleted({ id: experiment.id });
    if (run.stage !== 'deleted') throw trackingErrors.INVALID_PARAMETER_VALUE__RunActive({ id: run.id });
    await markActive(tx, call.jar, [run]);
  });
}

const MOST_RUNS = 10_000;
/** Number of runs that one transaction changes. */
const SLICE = 250;

interface Bulk {
  /** The time parameter that selects the runs. */
  readonly field: string;
  filter(time: number): Filter;
  readonly order: string;
  mark(tx: Tx, jar: PlatformJar, runs: readonly TrackedRun[]): Promise<void>;
}

/** Changes many runs, one batch per transaction; returns their number. */
async function changeMany(call: PlatformCall, { field, filter, order, mark }: Bulk): Promise<number> {
  const { jar } = call;
  const request = Request.of(call);
  const id = request.need('experiment_id');
  const time = request.needWhole(field);
  const most = request.whole('max_runs') ?? MOST_RUNS;
  if (most <= 0 || most > MOST_RUNS)
    throw request.invalid('max_runs', most, `It must be a positive integer of at most ${MOST_RUNS}.`);
  let changed = 0;
  while (changed < most) {
    const limit = Math.min(SLICE, most - changed);
    const count = await jar.store.transact(async (tx) => {
      const experiment = await findActiveExperiment(tx, call, { id, level: 'CAN_EDIT', lock: 'share' });
      const ofExperiment = eq('experiment', experimentKey(experiment.workspaceId, id));
      const wanted = { filter: allOf(ofExperiment, filter(time)), order: [{ field: order, descending: true }], limit };
      const { items } = await tx.query(trackedRuns, wanted);
      const held: TrackedRun[] = [];
      for (const { key, value } of items) {
        const run = (await tx.get(trackedRuns, key))?.value;
        if (run?.stage === value.stage) held.push(run);
      }
      await mark(tx, jar, held);
      return items.length;
    });
    changed += count;
    if (count < limit) break;
    await new Promise<void>(nextTurn);
  }
  return changed;
}

/** `databricks/runs/delete-runs`: runs that started at this time or before, oldest first. */
export const deleteRuns = (call: PlatformCall): Promise<number> =>
  changeMany(call, {
    field: 'max_timestamp_millis',
    filter: (time) => allOf(eq('stage', 'active'), atLeast('startBack', -time)),
    order: 'startBack',
    mark: markDeleted,
  });

/** `databricks/runs/restore-runs`: runs that were deleted at this time or later, last deleted first. */
export const restoreRuns = (call: PlatformCall): Promise<number> =>
  changeMany(call, {
    field: 'min_timestamp_millis',
    filter: (time) => allOf(eq('stage', 'deleted'), atLeast('deletedAt', time)),
    order: 'deletedAt',
    mark: markActive,
  });
