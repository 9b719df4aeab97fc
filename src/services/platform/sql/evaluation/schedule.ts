import type { Tx } from '../../../../kernel/store/index.ts';
import { workHandler } from '../../../../kernel/work/index.ts';
import { nextTime } from '../../engine/cron.ts';
import { membersOf, textOf } from '../../engine/json.ts';
import { objects, type PlatformObject } from '../../engine/objects.ts';
import { keyOf } from '../../engine/removal.ts';
import type { PlatformJar } from '../../jar.ts';
import { evaluateAlert } from './evaluate.ts';
import { EVALUATE_ALERT, evaluationId } from './work.ts';

/** The next evaluation of a version 2 alert; undefined if it is paused or its schedule has ended. */
function dueAfter({ fields }: PlatformObject, after: number): number | undefined {
  const { quartz_cron_schedule, timezone_id, pause_status } = membersOf(fields.schedule);
  if (pause_status === 'PAUSED') return undefined;
  return nextTime(textOf(quartz_cron_schedule) ?? '', textOf(timezone_id) ?? '', after);
}

/**
 * Called in the transaction that writes an alert: schedules or cancels its next evaluation. A change that does not affect the schedule
 * keeps the scheduled evaluation.
 */
export async function planEvaluation(
  tx: Tx,
  jar: PlatformJar,
  alert: PlatformObject,
  before?: PlatformObject,
): Promise<void> {
  if (before && JSON.stringify(before.fields.schedule) === JSON.stringify(alert.fields.schedule)) return;
  const key = keyOf(alert);
  const at = dueAfter(alert, jar.clock.now());
  if (at !== undefined) await tx.schedule(EVALUATE_ALERT.at(at, { key }, evaluationId(key)));
  else if (before) await tx.cancel(evaluationId(key));
}

export const cancelEvaluation = async (tx: Tx, alert: PlatformObject): Promise<void> => {
  await tx.cancel(evaluationId(keyOf(alert)));
};

/**
 * Evaluations that were missed while the jar was stopped are coalesced into one. An alert in the trash keeps its schedule but is not
 * evaluated.
 */
export const evaluateOnTime = workHandler(EVALUATE_ALERT, async (item, jar: PlatformJar) => {
  await jar.store.transact(async (tx) => {
    const alert = (await tx.get(objects, item.payload.key))?.value;
    const next = alert && dueAfter(alert, jar.clock.now());
    if (next === undefined) await tx.complete(item);
    else await tx.schedule(EVALUATE_ALERT.at(next, item.payload, evaluationId(item.payload.key)));
    if (alert && alert.trashedAt === undefined) await evaluateAlert(tx, jar, alert);
  });
});
