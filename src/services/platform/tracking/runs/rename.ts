import type { Tx } from '../../../../kernel/store/index.ts';
import { runKey, type TrackedRun, trackedRuns } from '../collections.ts';
import { checkLength, LONGEST_RUN_NAME } from '../names.ts';
import { nameIn, type SentText } from './values.ts';

/** Called in a transaction that has locked the run: a tag that contains its name renames it. Returns the changed run. */
export async function renameByTags(tx: Tx, run: TrackedRun, tags: readonly SentText[]): Promise<TrackedRun> {
  const name = nameIn(tags);
  if (name === undefined || name === run.name) return run;
  checkLength(name, 'run_name', LONGEST_RUN_NAME);
  const renamed = { ...run, name };
  await tx.put(trackedRuns, runKey(run.workspaceId, run.id), renamed);
  return renamed;
}
