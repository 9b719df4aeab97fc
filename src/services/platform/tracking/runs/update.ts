import type { PlatformCall } from '../../jar.ts';
import { RUN_STATUSES, runKey, type TrackedRun, trackedRuns } from '../collections.ts';
import { checkLength, LONGEST_RUN_NAME } from '../names.ts';
import { Request } from '../request.ts';
import { recordRun } from './change.ts';
import { type FoundRun, lockActiveRun, runIdIn } from './find.ts';
import { putTags, RUN_NAME_TAG } from './values.ts';

/** `runs/update`. The client sets the end of a run: a status alone does not set it. */
export function updateRun(call: PlatformCall): Promise<FoundRun> {
  const { jar } = call;
  const request = Request.of(call);
  const id = runIdIn(request);
  const status = request.word('status', RUN_STATUSES);
  const name = request.text('run_name') || undefined;
  checkLength(name ?? '', request.path('run_name'), LONGEST_RUN_NAME);
  const endTime = request.whole('end_time');
  if (endTime !== undefined && endTime < 0)
    throw request.invalid('end_time', endTime, 'Times are milliseconds since 1970 and must not be negative.');
  return jar.store.transact(async (tx) => {
    const { run, experiment } = await lockActiveRun(tx, call, id);
    const changed: TrackedRun = {
      ...run,
      ...(status && { status }),
      ...(endTime !== undefined && { endTime }),
      ...(name !== undefined && { name }),
    };
    await tx.put(trackedRuns, runKey(run.workspaceId, run.id), changed);
    if (name !== undefined) await putTags(tx, jar, run, [{ name: RUN_NAME_TAG, value: name }]);
    await recordRun(tx, jar, 'update', changed);
    return { run: changed, experiment };
  });
}
