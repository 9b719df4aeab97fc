import { allOf, eq, pagesOf, type Tx } from '../../../../kernel/store/index.ts';
import { workHandler } from '../../../../kernel/work/index.ts';
import { settleWith } from '../../compute/settle-with.ts';
import type { PlatformJar } from '../../jar.ts';
import { jobKey, jobs, runs, slotsWanted, taskRuns } from '../collections.ts';
import type { Job } from '../job.ts';
import type { Run } from '../run.ts';
import { beginRun } from './begin-run.ts';
import { followEnd } from './end-task.ts';
import { RunChange } from './run-change.ts';
import { activeRuns } from './start-run.ts';
import { startTask } from './start-tasks.ts';
import { clearSlotsWanted, hasFreeSlot, takeSlots, taskWaits } from './task-slots.ts';
import { FILL_SLOTS } from './work.ts';

/** Starts tasks that wait for a task slot, oldest first, then queued runs. */
export const fillFreeSlots = workHandler(FILL_SLOTS, async (item, jar: PlatformJar) => {
  const { workspaceId } = item.payload;
  await jar.taskImages.refresh();
  while (await startWaitingTask(jar, workspaceId)) if (jar.closing.aborted) return;
  await startQueuedRuns(jar, workspaceId);
  await jar.store.transact((tx) => clearSlotsWanted(tx, workspaceId));
  // A slot may have become free during this work; the transaction that freed it did not wake an item that was already running.
  await settleWith(jar.store, item, async (tx) => {
    // Lock order: the count before the item, as in transactions that free a slot and then wake the item.
    const isFree = await hasFreeSlot(tx, jar, workspaceId);
    return async () => (isFree && (await anyCanStart(tx, workspaceId)) ? jar.clock.now() : undefined);
  });
});

/** Returns true if a task or run can start, given that a slot is free. */
async function anyCanStart(tx: Tx, workspaceId: string): Promise<boolean> {
  if (!(await tx.get(slotsWanted, workspaceId, 'none'))) return false;
  if (await taskWaits(tx, workspaceId)) return true;
  const seen = new Set<string>();
  for await (const page of pagesOf(tx, runs, queuedIn(workspaceId))) {
    for (const { value } of page) {
      if (value.jobId === undefined) return true;
      if (seen.has(value.jobId)) continue;
      seen.add(value.jobId);
      const job = (await tx.get(jobs, jobKey(workspaceId, value.jobId), 'none'))?.value;
      if (!job || (await hasPlace(tx, job))) return true;
    }
  }
  return false;
}

/** Returns false if no task waits or no slot is free. */
async function startWaitingTask(jar: PlatformJar, workspaceId: string): Promise<boolean> {
  const filter = eq('waiting', workspaceId);
  const [first] = (await jar.store.query(taskRuns, { filter, order: [{ field: 'waitsFrom' }], limit: 1 })).items;
  if (!first) return false;
  return jar.store.transact(async (tx) => {
    const change = await RunChange.load(tx, jar, workspaceId, first.value.runId);
    const task = await change?.task(first.value.id);
    if (!change || task?.state !== 'QUEUED') return true;
    if ((await takeSlots(tx, jar, workspaceId, 1)) === 0) return false;
    const ended = await startTask(change, task);
    if (ended) await followEnd(change, ended);
    await change.save();
    return true;
  });
}

/** Considers all queued runs: the oldest may belong to a job at its `max_concurrent_runs`, and must not block other jobs. */
async function startQueuedRuns(jar: PlatformJar, workspaceId: string): Promise<void> {
  const full = new Set<string | undefined>();
  for await (const page of pagesOf(jar.store, runs, queuedIn(workspaceId))) {
    for (const { value } of page) {
      if (jar.closing.aborted) return;
      if (full.has(value.jobId)) continue;
      const lacks = await startQueuedRun(jar, value);
      if (lacks === 'room') return;
      if (lacks === 'place') full.add(value.jobId);
    }
  }
}

const queuedIn = (workspaceId: string) => ({
  filter: allOf(eq('workspace', workspaceId), eq('queued', true)),
  order: [{ field: 'createdAt' }, { field: 'number' }],
});

const hasPlace = async (tx: Tx, job: Job): Promise<boolean> =>
  (await activeRuns(tx, job)) < (job.settings.max_concurrent_runs ?? 1);

/** If the run stays queued, returns what is missing: a place in its job, or a task slot in the workspace. */
async function startQueuedRun(
  jar: PlatformJar,
  { workspaceId, id, jobId }: Run,
): Promise<'place' | 'room' | undefined> {
  return jar.store.transact(async (tx) => {
    // Same lock order as for a new run of the job.
    const job = jobId === undefined ? undefined : (await tx.get(jobs, jobKey(workspaceId, jobId)))?.value;
    const change = await RunChange.load(tx, jar, workspaceId, id);
    if (change?.run.state !== 'QUEUED') return undefined;
    if (job && !(await hasPlace(tx, job))) return 'place';
    // Slots that became free after waiting tasks were last considered go to waiting tasks first.
    if (!(await hasFreeSlot(tx, jar, workspaceId)) || (await taskWaits(tx, workspaceId))) return 'room';
    await beginRun(change, change.only);
    await change.save();
    return undefined;
  });
}
