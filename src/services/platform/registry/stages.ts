import { errors } from '../errors.ts';

/** Where a version of a model stands. */
export const STAGES = ['None', 'Staging', 'Production', 'Archived'] as const;

export type Stage = (typeof STAGES)[number];

/** Stages in which others use a version: it cannot be deleted there, and a transition to one may archive the versions that are in it. */
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

/** The level on a model that a transition needs, and the decision about a request for one. */
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
