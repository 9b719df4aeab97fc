import type { AdvancedFilter } from '../definition.ts';
import type { Found } from './event-view.ts';
import type { Comparison } from './operators.ts';
import type { Spelling } from './spelling.ts';

/** Compares one value, never an array, with the operand. False if the types differ. */
export type Test = (found: Found) => boolean;

const ofNumber =
  (test: (value: number) => boolean): Test =>
  ({ value }) =>
    typeof value === 'number' && test(value);

const ofTexts =
  (operands: readonly string[], test: (value: string, operand: string) => boolean): Test =>
  ({ forms }) =>
    forms.some((form) => operands.some((operand) => test(form, operand)));

export function testOf(comparison: Comparison, filter: AdvancedFilter, spelling: Spelling): Test {
  const limit = filter.value as number;
  switch (comparison) {
    case 'equals': {
      const wanted = new Set(equalsOperands(filter, spelling));
      return ({ value, forms }) =>
        typeof value === 'string' ? forms.some((form) => wanted.has(form)) : wanted.has(value as number | boolean);
    }
    case 'below':
      return ofNumber((value) => value < limit);
    case 'atMost':
      return ofNumber((value) => value <= limit);
    case 'above':
      return ofNumber((value) => value > limit);
    case 'atLeast':
      return ofNumber((value) => value >= limit);
    case 'within': {
      const ranges = filter.values as readonly (readonly [number, number])[];
      return ofNumber((value) => ranges.some(([low, high]) => low <= value && value <= high));
    }
    case 'begins':
      return ofTexts(textOperands(filter, spelling), (value, operand) => value.startsWith(operand));
    case 'ends':
      return ofTexts(textOperands(filter, spelling), (value, operand) => value.endsWith(operand));
    case 'contains':
      return ofTexts(textOperands(filter, spelling), (value, operand) => value.includes(operand));
    case 'exists':
      return () => true;
  }
}

export type Equal = string | number | boolean;

/** Numbers and booleans unchanged, texts in all their spellings. */
export function equalsOperands({ value, values = [] }: AdvancedFilter, spelling: Spelling): readonly Equal[] {
  if (value !== undefined) return [value];
  return values.flatMap((each): readonly Equal[] =>
    typeof each === 'string' ? spelling.forms(each) : [each as number],
  );
}

export const textOperands = ({ values = [] }: AdvancedFilter, spelling: Spelling): readonly string[] =>
  values.flatMap((each) => spelling.forms(each as string));
