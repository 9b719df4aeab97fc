import type { Value } from './bound.ts';

/** If one side is lower-case text, the other side is folded too. */
export function foldPair(left: Value, right: Value): [Value, Value] {
  if (left.folded && !right.folded) return [left, fold(right)];
  if (right.folded && !left.folded) return [fold(left), right];
  return [left, right];
}

export function fold(value: Value): Value {
  if (value.type !== 'text' || value.folded) return value;
  if (value.kind === 'constant') return { ...value, value: String(value.value).toLowerCase(), folded: true };
  return { kind: 'call', name: 'tolower', args: [value], type: 'text', folded: true };
}
