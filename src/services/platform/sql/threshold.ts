import type { FieldRules } from '../engine/fields.ts';

/** What alerts of both versions compare with: one of these. */
export const THRESHOLD_VALUE: FieldRules = {
  string_value: { type: 'string' },
  double_value: { type: 'number' },
  bool_value: { type: 'boolean' },
};
