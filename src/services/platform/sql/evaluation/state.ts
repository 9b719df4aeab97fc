import { SECOND_MS } from '../../../../kernel/time/index.ts';
import { type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import { membersOf, numberOf } from '../../engine/json.ts';
import type { PlatformObject } from '../../engine/objects.ts';
import type { AlertState } from './compare.ts';

/** Evaluation state of an alert, stored in `extra.evaluation` of its document. */
export interface Evaluation {
  readonly state: AlertState;
  readonly evaluatedAt?: number | undefined;
  /** Time when it was last triggered; its subscribers, if any, were notified then. */
  readonly triggeredAt?: number | undefined;
}

const STATES: readonly AlertState[] = ['UNKNOWN', 'OK', 'TRIGGERED', 'ERROR'];

export function evaluationOf({ extra }: Pick<PlatformObject, 'extra'>): Evaluation {
  const { state, evaluatedAt, triggeredAt } = membersOf(extra?.evaluation);
  return {
    state: STATES.find((each) => each === state) ?? 'UNKNOWN',
    evaluatedAt: numberOf(evaluatedAt),
    triggeredAt: numberOf(triggeredAt),
  };
}

export interface RetriggerRule {
  /** Time after which a triggered alert can be triggered again; 0: only after its condition was not met in between. */
  readonly retriggerSeconds: number;
  readonly notifiesOk: boolean;
}

export interface Step {
  readonly after: Evaluation;
  readonly notifies: boolean;
}

/** The effect of a new state on an alert. */
export function step(
  before: Evaluation,
  state: AlertState,
  now: number,
  { retriggerSeconds, notifiesOk }: RetriggerRule,
): Step {
  const isRearmed =
    before.state !== 'TRIGGERED' ||
    (retriggerSeconds > 0 && now - (before.triggeredAt ?? 0) >= retriggerSeconds * SECOND_MS);
  const triggers = state === 'TRIGGERED' && isRearmed;
  return {
    after: { state, evaluatedAt: now, triggeredAt: triggers ? now : before.triggeredAt },
    notifies: triggers || (state === 'OK' && before.state === 'TRIGGERED' && notifiesOk),
  };
}

export const keptEvaluation = (object: PlatformObject, evaluation: Evaluation): JsonMembers => ({
  ...object.extra,
  evaluation: omitAbsent({ ...evaluation }),
});
