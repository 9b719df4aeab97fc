import type { Tx } from '../../../../kernel/store/index.ts';
import { SECOND_MS } from '../../../../kernel/time/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { listOf, membersOf, numberOf } from '../../engine/json.ts';
import type { PlatformJar } from '../../jar.ts';
import { runKey } from '../collections.ts';
import type { JobSettings } from '../job.ts';
import type { Run } from '../run.ts';
import { type NotifiedTask, receiversOf } from './events.ts';
import { WARN_DURATION } from './work.ts';

/**
 * Called when a run or task starts: schedules the warning that it takes longer than expected, if a health rule and a receiver are
 * configured.
 */
export async function planWarning(
  tx: Tx,
  jar: PlatformJar,
  run: Run,
  plan: JobSettings,
  task?: NotifiedTask,
): Promise<void> {
  const settings = task?.settings ?? plan;
  const seconds = expectedSeconds(settings.health);
  if (seconds === undefined) return;
  const { addresses, destinations } = receiversOf(settings, 'on_duration_warning_threshold_exceeded', undefined, task);
  if (addresses.length + destinations.length === 0) return;
  const payload = {
    run: runKey(run.workspaceId, run.id),
    ...(task && { task: runKey(run.workspaceId, task.task.id) }),
  };
  const id = `${WARN_DURATION.kind}:${payload.task ?? payload.run}`;
  await tx.schedule(WARN_DURATION.at(jar.clock.now() + seconds * SECOND_MS, payload, id));
}

function expectedSeconds(health: JsonMembers | undefined): number | undefined {
  const rules = listOf(health?.rules).map(membersOf);
  return numberOf(rules.find(({ metric }) => metric === 'RUN_DURATION_SECONDS')?.value);
}
