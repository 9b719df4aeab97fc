import { machineMs } from '../../compute/timing.ts';
import type { Update } from '../collections.ts';
import type { PipelineChange } from '../pipeline-change.ts';
import { STEPS, type UpdateState } from '../states.ts';
import { STEP_UPDATE, stepId } from '../work.ts';

/** Starts an update for which capacity has been taken. */
export const beginUpdate = (change: PipelineChange, update: Update): Promise<Update> =>
  enter(change, { ...update, hasRoom: true }, 'CREATED');

/**
 * Moves an update to its next state, and schedules the end of that state. `endsAt`: set if the end does not follow from the state; `never`
 * for a state that does not end by time.
 */
export async function enter(
  change: PipelineChange,
  update: Update,
  state: UpdateState,
  endsAt?: number | 'never',
): Promise<Update> {
  const step = STEPS[state];
  const usual = step && change.now + machineMs(change.jar, step);
  const stepEndsAt = endsAt === 'never' ? undefined : (endsAt ?? usual);
  const entered = change.putUpdate({ ...update, state, stepEndsAt });
  progress(change, entered);
  const { key } = change;
  if (stepEndsAt === undefined) await change.tx.cancel(stepId(key));
  else await change.tx.schedule(STEP_UPDATE.at(stepEndsAt, { key, update: update.id }, stepId(key)));
  return entered;
}

/** Records the event for the current state of an update. */
export function progress(change: PipelineChange, update: Update, message?: string): void {
  const { id, state } = update;
  change.note({
    type: 'update_progress',
    level: state === 'FAILED' ? 'ERROR' : 'INFO',
    message: message ?? `Update ${id.slice(0, 6)} is ${state}.`,
    update,
    details: { update_progress: { state } },
  });
}
