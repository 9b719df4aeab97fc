import type { Tx } from '../../../../kernel/store/index.ts';
import { runKey, type TrackedRun, trackedRuns } from '../collections.ts';
import { checkLength, LONGEST_RUN_NAME } from '../names.ts';
import { nameIn, type SentText } from './values.ts';

/** In a transaction that holds the run: a tag with its name renames it. Gives the run as it is then. */
export async function renameByTags(tx: Tx, run: TrackedRun, tags: readonly SentText[]): Promise<TrackedRun> {
  const name = nameIn(tags);
  if (name === undefined || name === run.name) return run;
  checkLength(name, 'run_name', LONGEST_RUN_NAME);
  const renamed = { ...run, name };
  await tx.put(trackedRuns, runKey(run.workspaceId, run.id), renamed);
  return renamed;
}
