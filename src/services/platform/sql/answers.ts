import type { FieldRules } from '../engine/fields.ts';

const answer = { type: 'any', readOnly: true } as const;

/** Read-only fields, which requests and masks may name without effect. */
export const answersOnly = (...names: readonly string[]): FieldRules =>
  Object.fromEntries(names.map((name) => [name, answer]));

export const COMMON_ANSWERS = answersOnly('id', 'create_time', 'update_time', 'lifecycle_state', 'owner_user_name');
