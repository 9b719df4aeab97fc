import type { Json } from '../../../kernel/store/index.ts';
import type { AdvancedFilter } from '../definition.ts';
import type { Operator } from './operators.ts';

const MOST_SHOWN = 100;

/** For example: `data.color is 'red', StringIn wants 'green' or 'blue'` */
export function refusalOf(
  filter: AdvancedFilter,
  operator: Operator,
  value: Json | undefined,
  onArrays: boolean,
): string {
  return `${short(filter.key)} is ${shown(value, onArrays)}, ${operator.name} wants ${wanted(filter, operator)}`;
}

function wanted({ value, values = [] }: AdvancedFilter, { operand, isNegative }: Operator): string {
  if (operand === 'none') return isNegative ? 'nothing there' : 'a value';
  if (value !== undefined) return String(value);
  const list = values.map((each) => (typeof each === 'object' ? each.join(' to ') : quoted(each)));
  return isNegative ? `none of ${list.join(', ')}` : list.join(' or ');
}

function shown(value: Json | undefined, onArrays: boolean): string {
  if (value === undefined) return 'absent';
  if (Array.isArray(value))
    return `an array of ${value.length}${onArrays ? '' : ', which the filter does not look into'}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return quoted(value);
}

export const quoted = (value: string | number | boolean | null): string =>
  typeof value === 'string' ? `'${short(value)}'` : String(value);

const short = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);
