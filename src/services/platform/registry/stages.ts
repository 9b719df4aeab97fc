import { errors } from '../errors.ts';

/** Stages of model versions. */
export const STAGES = ['None', 'Staging', 'Production', 'Archived'] as const;

export type Stage = (typeof STAGES)[number];

/** Stages in which a version is in use: it cannot be deleted, and a transition to such a stage may archive the versions that are in it. */
export const ACTIVE_STAGES: readonly Stage[] = ['Staging', 'Production'];

export const isActive = (stage: Stage): boolean => ACTIVE_STAGES.includes(stage);

/** The stage of this name, in any case. */
export function stageNamed(text: string): Stage {
  const lower = text.toLowerCase();
  const stage = STAGES.find((each) => each.toLowerCase() === lower);
  if (stage) return stage;
  throw errors.INVALID_PARAMETER_VALUE({
    reason: `Invalid Model Version stage: ${text.slice(0, 100)}. Value must be one of ${STAGES.join(', ')}.`,
  });
}

/** The level on the model that a transition, and a decision on a request for it, requires. */
export const levelToMove = (from: Stage, to: Stage): string =>
  from === 'Production' || to === 'Production' ? 'CAN_MANAGE_PRODUCTION_VERSIONS' : 'CAN_MANAGE_STAGING_VERSIONS';

export function checkArchiving(stage: Stage, archives: boolean): void {
  if (!archives || isActive(stage)) return;
  throw errors.INVALID_PARAMETER_VALUE({
    reason:
      `Model version transition cannot archive existing model versions because '${stage}' is not an Active stage. ` +
      `Valid stages are ['Staging', 'Production']`,
  });
}
