import { numericId } from '../../../../kernel/ids/index.ts';
import type { Tx } from '../../../../kernel/store/index.ts';
import { SECOND_MS } from '../../../../kernel/time/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import type { PlatformJar } from '../../jar.ts';
import { runKey } from '../collections.ts';
import type { JobSettings } from '../job.ts';
import type { Run } from '../run.ts';
import { advanceRun } from './advance-run.ts';
import { planCheckout } from './check-out-plan.ts';
import { sharedClusters } from './clusters.ts';
import { newTask } from './new-task.ts';
import { Plan, putPlan } from './plan.ts';
import { RunChange } from './run-change.ts';
import { runDue } from './work.ts';

export interface RepairOrder {
  readonly taskKeys: readonly string[];
  /** The current settings of the job. */
  readonly settings: JobSettings;
  readonly overriding: JsonMembers;
  readonly parameters: Run['parameters'];
}

/** Runs some tasks of an ended run again, under the same run. Returns the id of the repair. */
export async function repairRun(tx: Tx, jar: PlatformJar, run: Run, order: RepairOrder): Promise<string> {
  const { workspaceId, id } = run;
  const key = runKey(workspaceId, id);
  const change = new RunChange(tx, jar, run, new Plan(order.settings));
  const planId = await putPlan(tx, run, { settings: order.settings });
  const before = await change.newest(order.taskKeys);
  const repairId = numericId();
  const made = order.taskKeys.map((taskKey) => {
    const settings = change.settingsOf({ key: taskKey });
    const old = before.get(taskKey);
    if (old) change.put({ ...old, isSuperseded: true });
    const origin = {
      attempt: old ? old.attempt + 1 : 0,
      repairId,
      ...(old && { originalId: old.originalId, after: old.id }),
    };
    return change.put({ ...newTask(change, settings, origin), retries: 0 });
  });
  const { ending, endedAt, ends: _ends, durations: _durations, clusters: _clusters, ...rest } = run;
  const clusters = sharedClusters(made.map((task) => change.settingsOf(task)));
  change.run = {
    ...rest,
    planId,
    state: 'RUNNING',
    open: made.length,
    overriding: order.overriding,
    parameters: order.parameters,
    original: run.original ?? { endedAt: endedAt ?? change.now, ...(ending && { ending }) },
    ...(clusters && { clusters }),
    repairs: [...run.repairs, { id: repairId, startedAt: change.now, taskRuns: made.map((task) => task.id) }],
  };
  change.changeRun({});
  await planCheckout(change);
  const { timeout_seconds: seconds = 0 } = order.settings;
  if (seconds > 0) await tx.schedule(runDue(key, change.now + seconds * SECOND_MS));
  await advanceRun(change, made);
  await change.save();
  return repairId;
}
