import { uuid } from '../../../../kernel/ids/index.ts';
import { nameOf } from '../../access/standing.ts';
import { callerIdentity, type PlatformCall } from '../../jar.ts';
import { takeCount } from '../../limits/take.ts';
import { runKey, type TrackedRun, trackedRuns } from '../collections.ts';
import { trackingErrors } from '../errors.ts';
import { findActiveExperiment } from '../experiments/find.ts';
import { checkLength, LONGEST_RUN_NAME } from '../names.ts';
import { Request } from '../request.ts';
import { recordRun } from './change.ts';
import type { FoundRun } from './find.ts';
import { generatedName } from './generated-name.ts';
import { nameIn, putTags, RUN_NAME_TAG, readTag } from './values.ts';

/** `runs/create`. */
export function createRun(call: PlatformCall): Promise<FoundRun> {
  const { jar } = call;
  const request = Request.of(call);
  const experimentId = request.need('experiment_id');
  const tags = request.list('tags').map(readTag);
  const [name, tag] = [request.text('run_name') || undefined, nameIn(tags) || undefined];
  if (name !== undefined && tag !== undefined && name !== tag)
    throw trackingErrors.INVALID_PARAMETER_VALUE__RunNames({ name, tag });
  checkLength(name ?? tag ?? '', request.path('run_name'), LONGEST_RUN_NAME);
  const userId = request.text('user_id') || nameOf(callerIdentity(call).principal);
  checkLength(userId, request.path('user_id'), LONGEST_RUN_NAME);
  const startTime = request.whole('start_time');
  if (startTime !== undefined && startTime < 0)
    throw request.invalid('start_time', startTime, 'Times are milliseconds since 1970 and must not be negative.');
  return jar.store.transact(async (tx) => {
    const experiment = await findActiveExperiment(tx, call, { id: experimentId, level: 'CAN_EDIT', lock: 'share' });
    const { workspaceId } = experiment;
    const id = uuid().replaceAll('-', '');
    const run: TrackedRun = {
      workspaceId,
      experimentId,
      id,
      name: name ?? tag ?? generatedName(id),
      userId,
      status: 'RUNNING',
      startTime: startTime ?? jar.clock.now(),
      artifactUri: `${experiment.artifactLocation}/${id}/artifacts`,
      stage: 'active',
    };
    await takeCount(tx, jar, { row: 'experiment-runs', scope: [workspaceId, experimentId] });
    await tx.put(trackedRuns, runKey(workspaceId, id), run, { ifNoneMatch: '*' });
    await putTags(tx, jar, run, [...tags, { name: RUN_NAME_TAG, value: run.name }]);
    await recordRun(tx, jar, 'create', run);
    return { run, experiment };
  });
}
