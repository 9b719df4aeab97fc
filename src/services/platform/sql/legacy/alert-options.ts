import { type Json, type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import { membersOf, textOf } from '../../engine/json.ts';

/** Operators of the older API and their names in the current API. */
export const OPERATORS: Readonly<Record<string, string>> = {
  '>': 'GREATER_THAN',
  '>=': 'GREATER_THAN_OR_EQUAL',
  '<': 'LESS_THAN',
  '<=': 'LESS_THAN_OR_EQUAL',
  '==': 'EQUAL',
  '!=': 'NOT_EQUAL',
};

const operatorOf = (op: Json | undefined): string =>
  Object.entries(OPERATORS).find(([, name]) => name === op)?.[0] ?? String(op);

/** `options` of an alert in the older API, derived from the stored fields. */
export function legacyOptions({ condition, muted = false, custom_subject, custom_body }: JsonMembers): JsonMembers {
  const { op, operand, threshold, empty_result_state } = membersOf(condition);
  const { string_value, double_value, bool_value } = membersOf(membersOf(threshold).value);
  return omitAbsent({
    column: membersOf(membersOf(operand).column).name,
    op: operatorOf(op),
    value: string_value ?? double_value ?? bool_value,
    muted,
    empty_result_state: textOf(empty_result_state)?.toLowerCase(),
    custom_subject,
    custom_body,
  });
}
