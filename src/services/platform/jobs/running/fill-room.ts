import { allOf, eq, pagesOf, type Tx } from '../../../../kernel/store/index.ts';
import { handleWork } from '../../../../kernel/work/index.ts';
import { settleWith } from '../../compute/settle-with.ts';
import type { PlatformJar } from '../../jar.ts';
import { jobKey, jobs, roomIsWanted, runs, taskRuns } from '../collections.ts';
import type { Job } from '../job.ts';
import type { Run } from '../run.ts';
import { beginRun } from './begin-run.ts';
import { followEnd } from './end-task.ts';
import { forgetWanted, hasRoom, takeRoom, taskWaits } from './room.ts';
import { RunChange } from './run-change.ts';
import { activeRuns } from './start-run.ts';
import { startTask } from './start-tasks.ts';
import { FILL_ROOM } from './work.ts';

/** Tasks that wait for room begin, the oldest first; then runs that are in the queue. */
export const roomIsFree = handleWork(FILL_ROOM, async (item, jar: PlatformJar) => {
  const { workspaceId } = item.payload;
  await jar.taskImages.refresh();
  while (await startWaitingTask(jar, workspaceId)) if (jar.closing.aborted) return;
  await startQueuedRuns(jar, workspaceId);
  await jar.store.transact((tx) => forgetWanted(tx, workspaceId));
  // Room may have come while this was at work, and whoever made it has left the item alone.
  await settleWith(jar.store, item, async (tx) => {
    // The count is locked before the item, as by everybody who frees room and wakes the item then.
    const isFree = await hasRoom(tx, jar, workspaceId);
    return async () => (isFree && (await someCanBegin(tx, workspaceId)) ? jar.clock.now() : undefined);
  });
});

/** Where there is room. */
async function someCanBegin(tx: Tx, workspaceId: string): Promise<boolean> {
  if (!(await tx.get(roomIsWanted, workspaceId, 'none'))) return false;
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

/** False where none waits, or there is no room. */
async function startWaitingTask(jar: PlatformJar, workspaceId: string): Promise<boolean> {
  const filter = eq('waiting', workspaceId);
  const [first] = (await jar.store.query(taskRuns, { filter, order: [{ field: 'waitsFrom' }], limit: 1 })).items;
  if (!first) return false;
  return jar.store.transact(async (tx) => {
    const change = await RunChange.load(tx, jar, workspaceId, first.value.runId);
    const task = await change?.task(first.value.id);
    if (!change || task?.state !== 'QUEUED') return true;
    if ((await takeRoom(tx, jar, workspaceId, 1)) === 0) return false;
    const ended = await startTask(change, task);
    if (ended) await followEnd(change, ended);
    await change.save();
    return true;
  });
}

/** All of them are looked at: the oldest may be of a job that has no place for them, and hold up no other job. */
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

/** Says what there is none of, where the run stays in the queue: a place in its job, or room in the workspace. */
async function startQueuedRun(
  jar: PlatformJar,
  { workspaceId, id, jobId }: Run,
): Promise<'place' | 'room' | undefined> {
  return jar.store.transact(async (tx) => {
    // In the order in which a new run of the job holds them.
    const job = jobId === undefined ? undefined : (await tx.get(jobs, jobKey(workspaceId, jobId)))?.value;
    const change = await RunChange.load(tx, jar, workspaceId, id);
    if (change?.run.state !== 'QUEUED') return undefined;
    if (job && !(await hasPlace(tx, job))) return 'place';
    // Room that came since the last look at the tasks is theirs.
    if (!(await hasRoom(tx, jar, workspaceId)) || (await taskWaits(tx, workspaceId))) return 'room';
    await beginRun(change, change.only);
    await change.save();
    return undefined;
  });
}
