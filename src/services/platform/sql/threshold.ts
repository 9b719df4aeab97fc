import type { FieldRules } from '../engine/fields.ts';

/** Threshold of alerts of both versions: exactly one of these members. */
export const THRESHOLD_VALUE: FieldRules = {
  string_value: { type: 'string' },
  double_value: { type: 'number' },
  bool_value: { type: 'boolean' },
};
