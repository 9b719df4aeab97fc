import { workHandler } from '../../../../kernel/work/index.ts';
import { membersOf } from '../../engine/json.ts';
import type { PlatformJar } from '../../jar.ts';
import { runPlans, runs, taskRuns } from '../collections.ts';
import type { TaskSettings } from '../job.ts';
import { notifyRun } from './notify.ts';
import { WARN_DURATION } from './work.ts';

const EVENT = 'on_duration_warning_threshold_exceeded';

/** Notifies that a run or task takes longer than expected, unless it has ended. */
export const warnDuration = workHandler(WARN_DURATION, async (item, jar: PlatformJar) => {
  await jar.store.transact(async (tx) => {
    await tx.complete(item);
    const { run: key, task: ofTask } = item.payload;
    const run = (await tx.get(runs, key, 'none'))?.value;
    const plan = (await tx.get(runPlans, key, 'none'))?.value.settings;
    if (!run || !plan || run.state === 'TERMINATED') return;
    if (ofTask === undefined) return notifyRun(tx, jar, run, plan, EVENT);
    const task = (await tx.get(taskRuns, ofTask, 'none'))?.value;
    const settings = plan.tasks?.find((each) => each.task_key === task?.key);
    if (!task || !settings || task.state === 'TERMINATED') return;
    const inner = membersOf(membersOf(settings.for_each_task).task);
    const own = task.iteration ? ({ ...inner, task_key: task.key } satisfies TaskSettings) : settings;
    await notifyRun(tx, jar, run, plan, EVENT, { task, settings: own, isLastAttempt: true });
  });
});
