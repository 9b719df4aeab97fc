import { isObject } from '../../../kernel/values/index.ts';
import type { AdvancedFilter, EventFilter } from '../definition.ts';
import { OPERATOR_NAMES, type Operand, operatorOf } from './operators.ts';

export const MAX_ADVANCED_FILTERS = 25;
/** Limit across all advanced filters of a subscription. */
export const MAX_VALUES = 25;
export const MAX_STRING_LENGTH = 512;

const ALL_TYPES = 'all';

export interface FilterMistake {
  /** Path of the member, such as `properties.filter.advancedFilters[0].values`. */
  readonly target: string;
  readonly message: string;
}

type Members = Readonly<Record<string, unknown>>;

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;
/** JSON has no infinities, but `JSON.parse` reads 1e999 as one. */
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
function isRange(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [low, high] = value as unknown[];
  return isNumber(low) && isNumber(high) && low <= high;
}

/** Rule for one operand, with its description; `isList`: several operands in `values`. */
const OPERANDS: Readonly<Record<Operand, OperandRule>> = {
  number: { isList: false, fits: isNumber, words: 'a number' },
  boolean: { isList: false, fits: (value) => typeof value === 'boolean', words: 'true or false' },
  numbers: { isList: true, fits: isNumber, words: 'a number' },
  ranges: { isList: true, fits: isRange, words: 'a range of two numbers, the lower one first' },
  strings: {
    isList: true,
    fits: (value) => typeof value === 'string' && value.length <= MAX_STRING_LENGTH,
    words: `a string of at most ${MAX_STRING_LENGTH} characters`,
  },
  none: { isList: false, fits: () => true, words: 'nothing' },
};

interface OperandRule {
  readonly isList: boolean;
  readonly fits: (value: unknown) => boolean;
  readonly words: string;
}

/**
 * All mistakes of a filter as it was sent; `at` is the path to the filter. Unknown members are ignored. `operators` are the allowed
 * operator names.
 */
export function filterMistakes(
  filter: unknown,
  at: string,
  operators: readonly string[] = OPERATOR_NAMES,
): FilterMistake[] {
  if (isAbsent(filter)) return [];
  if (!isObject(filter)) return [{ target: at, message: 'The filter has to be an object.' }];
  return [
    ...['subjectBeginsWith', 'subjectEndsWith'].flatMap((name) => typeMistake(filter, name, 'string', at)),
    ...['isSubjectCaseSensitive', 'enableAdvancedFilteringOnArrays'].flatMap((name) =>
      typeMistake(filter, name, 'boolean', at),
    ),
    ...eventTypeMistakes(filter.includedEventTypes, `${at}.includedEventTypes`),
    ...advancedMistakes(filter.advancedFilters, `${at}.advancedFilters`, operators),
  ];
}

function typeMistake(filter: Members, name: string, type: 'string' | 'boolean', at: string): FilterMistake[] {
  const value = filter[name];
  if (isAbsent(value) || typeof value === type) return [];
  return [
    { target: `${at}.${name}`, message: `'${name}' has to be ${type === 'string' ? 'a string' : 'true or false'}.` },
  ];
}

function eventTypeMistakes(types: unknown, at: string): FilterMistake[] {
  if (isAbsent(types)) return [];
  if (!Array.isArray(types))
    return [{ target: at, message: "'includedEventTypes' has to be an array of event types." }];
  return types.flatMap((type, i) =>
    isText(type) ? [] : [{ target: `${at}[${i}]`, message: 'An event type has to be a string that is not empty.' }],
  );
}

function advancedMistakes(filters: unknown, at: string, operators: readonly string[]): FilterMistake[] {
  if (isAbsent(filters)) return [];
  if (!Array.isArray(filters)) return [{ target: at, message: "'advancedFilters' has to be an array." }];
  // Checked before each single filter, because the list may be very long.
  if (filters.length > MAX_ADVANCED_FILTERS)
    return [{ target: at, message: tooMany(filters.length, 'advanced filters', MAX_ADVANCED_FILTERS) }];
  const values = filters.reduce((sum: number, filter) => sum + valueCount(filter), 0);
  if (values > MAX_VALUES)
    return [{ target: at, message: tooMany(values, 'values in all advanced filters together', MAX_VALUES) }];
  return filters.flatMap((filter, i) => advancedMistake(filter, `${at}[${i}]`, operators));
}

const tooMany = (count: number, what: string, most: number): string =>
  `There are ${count} ${what}; there may be at most ${most}.`;

function valueCount(filter: unknown): number {
  if (!isObject(filter)) return 0;
  if (Array.isArray(filter.values)) return filter.values.length;
  return isAbsent(filter.value) ? 0 : 1;
}

function advancedMistake(filter: unknown, at: string, operators: readonly string[]): FilterMistake[] {
  if (!isObject(filter)) return [{ target: at, message: 'An advanced filter has to be an object.' }];
  const { operatorType, key } = filter;
  const keyMistakes = isText(key)
    ? []
    : [{ target: `${at}.key`, message: "An advanced filter needs a 'key', a string that is not empty." }];
  const operator = typeof operatorType === 'string' ? operatorOf(operatorType) : undefined;
  if (operator && operators.includes(operator.name))
    return [...keyMistakes, ...operandMistakes(filter, operator.name, OPERANDS[operator.operand], at)];
  const known = operators.join(', ');
  const given =
    typeof operatorType === 'string'
      ? `'${operatorType.slice(0, 50)}' is none of the operators`
      : 'An advanced filter needs an operator, one of';
  return [...keyMistakes, { target: `${at}.operatorType`, message: `${given} ${known}.` }];
}

function operandMistakes(
  filter: Members,
  operator: string,
  { isList, fits, words }: OperandRule,
  at: string,
): FilterMistake[] {
  if (!isList) {
    return fits(filter.value) ? [] : [{ target: `${at}.value`, message: `'value' of ${operator} has to be ${words}.` }];
  }
  const { values } = filter;
  if (!Array.isArray(values) || values.length === 0)
    return [{ target: `${at}.values`, message: `'values' of ${operator} has to be an array that is not empty.` }];
  return values.flatMap((value, i) =>
    fits(value) ? [] : [{ target: `${at}.values[${i}]`, message: `A value of ${operator} has to be ${words}.` }],
  );
}

/** Normalises a valid filter for storage: defaults filled in, enumeration values in canonical case, unknown members removed. */
export function normalFilter(filter: unknown): EventFilter {
  const given: Members = isObject(filter) ? filter : {};
  const types = normalTypes(given.includedEventTypes);
  const advanced = Array.isArray(given.advancedFilters) ? given.advancedFilters.map(normalAdvanced) : [];
  const onArrays = given.enableAdvancedFilteringOnArrays;
  return {
    subjectBeginsWith: typeof given.subjectBeginsWith === 'string' ? given.subjectBeginsWith : '',
    subjectEndsWith: typeof given.subjectEndsWith === 'string' ? given.subjectEndsWith : '',
    isSubjectCaseSensitive: given.isSubjectCaseSensitive === true,
    ...(types && { includedEventTypes: types }),
    ...(typeof onArrays === 'boolean' && { enableAdvancedFilteringOnArrays: onArrays }),
    ...(advanced.length > 0 && { advancedFilters: advanced }),
  };
}

/** An empty list and the word `All`, which older clients send, also mean all types. */
function normalTypes(types: unknown): readonly string[] | undefined {
  if (!Array.isArray(types) || types.length === 0) return undefined;
  if (types.length === 1 && (types[0] as string).toLowerCase() === ALL_TYPES) return undefined;
  return types as string[];
}

function normalAdvanced(filter: AdvancedFilter): AdvancedFilter {
  const { name, operand } = operatorOf(filter.operatorType)!;
  const { key, value, values } = filter;
  if (operand === 'none') return { operatorType: name, key };
  return OPERANDS[operand].isList
    ? { operatorType: name, key, values: values! }
    : { operatorType: name, key, value: value! };
}
