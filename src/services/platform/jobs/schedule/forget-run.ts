import { eq, pagesOf, type Tx } from '../../../../kernel/store/index.ts';
import { workHandler } from '../../../../kernel/work/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { gitSources, runKey, runPlans, runs, runTokens, taskNotebooks, taskOutputs, taskRuns } from '../collections.ts';
import type { Run } from '../run.ts';
import { deleteInputs } from '../running/inputs.ts';
import { KEPT_MS } from './after-run.ts';
import { FORGET_RUN, forgetId } from './work.ts';

const SLICE = 200;

/** Removes a run that ended 60 days ago, or the remains of a deleted run, in batches: a run may have thousands of task runs. */
export const forgetRun = workHandler(FORGET_RUN, async (item, jar: PlatformJar, halt: AbortSignal) => {
  const { key, token } = item.payload;
  const isGone = await jar.store.transact(async (tx) => {
    const run = (await tx.get(runs, key))?.value;
    if (run && !isOld(run, jar.clock.now())) return false;
    if (run) await removeRecord(tx, run);
    const used = run?.idempotencyToken === undefined ? token : runKey(run.workspaceId, run.idempotencyToken);
    if (used !== undefined) await tx.delete(runTokens, used);
    return true;
  });
  // A repair has reopened the run; its next end schedules this work again.
  if (!isGone) return;
  while (!halt.aborted && (await jar.store.transact((tx) => removeTasks(tx, key)))) {}
  if (halt.aborted) throw new Error('the jar is stopping; the rest is removed after the next start');
});

const isOld = ({ state, endedAt }: Run, now: number): boolean =>
  state === 'TERMINATED' && endedAt !== undefined && endedAt + KEPT_MS <= now;

async function removeTasks(tx: Tx, key: string): Promise<boolean> {
  const { items } = await tx.query(taskRuns, { filter: eq('run', key), limit: SLICE });
  for (const { key: task, value } of items) {
    await tx.delete(taskRuns, task);
    if (value.kind === 'for_each_task') await deleteInputs(tx, task);
    await tx.delete(taskOutputs, task);
    await tx.delete(taskNotebooks, task);
  }
  return items.length === SLICE;
}

const removeRecord = async (tx: Tx, { workspaceId, id, git }: Run): Promise<void> => {
  const key = runKey(workspaceId, id);
  await tx.delete(runs, key);
  await tx.delete(runPlans, key);
  if (git)
    for await (const page of pagesOf(tx, gitSources, { prefix: `${key}/` }))
      for (const each of page) await tx.delete(gitSources, each.key);
};

/**
 * Deletes a run that has ended. Due work removes its task runs. Its idempotency token is kept for as long as the run would have been: a
 * call with the token of a deleted run is refused.
 */
export async function deleteRun(tx: Tx, jar: PlatformJar, run: Run): Promise<void> {
  const key = runKey(run.workspaceId, run.id);
  const now = jar.clock.now();
  await removeRecord(tx, run);
  await tx.schedule(FORGET_RUN.at(now, { key }, forgetId(key)));
  if (run.idempotencyToken === undefined) return;
  const token = runKey(run.workspaceId, run.idempotencyToken);
  await tx.schedule(FORGET_RUN.at((run.endedAt ?? now) + KEPT_MS, { key, token }, `${forgetId(key)}:token`));
}
