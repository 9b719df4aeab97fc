import { parseDate, parseInstant } from '../../../kernel/odata/index.ts';

/** What a type of parameter takes. Without a rule its values cannot be changed by the API. */
interface TypeRule {
  /** Behind "must be". */
  readonly rule: string;
  fits(value: string): boolean;
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,7})?)?$/;
const DURATION = /^-?(\d{1,8}\.)?([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,7})?$/;
const ZONED = /(Z|[+-]\d\d:\d\d)$/i;

const TYPE_RULES = {
  Text: { rule: 'text', fits: () => true },
  Number: { rule: 'a number', fits: (value) => NUMBER.test(value) },
  Logical: { rule: 'true or false', fits: (value) => /^(true|false)$/i.test(value) },
  Date: { rule: 'a date such as 2024-01-31', fits: (value) => parseDate(value) !== undefined },
  DateTime: {
    rule: 'a date and time without an offset, such as 2024-01-31T12:30:00',
    fits: (value) => !ZONED.test(value) && parseInstant(`${value}Z`) !== undefined,
  },
  DateTimeZone: {
    rule: 'a date and time with its offset, such as 2024-01-31T12:30:00+01:00',
    fits: (value) => ZONED.test(value) && parseInstant(value) !== undefined,
  },
  Time: { rule: 'a time such as 12:30:00', fits: (value) => TIME.test(value) },
  Duration: { rule: 'a duration such as 1.02:30:00', fits: (value) => DURATION.test(value) },
  Any: undefined,
  Binary: undefined,
} as const satisfies Readonly<Record<string, TypeRule | undefined>>;

export type ParameterType = keyof typeof TYPE_RULES;

export const PARAMETER_TYPES = Object.keys(TYPE_RULES) as ParameterType[];

export const isUpdatable = (type: ParameterType): boolean => TYPE_RULES[type] !== undefined;

/** A value that the queries behind a dataset are run with. */
export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly isRequired: boolean;
  readonly currentValue?: string;
  readonly suggestedValues?: readonly string[];
}

/** What is wrong with a value, behind "must"; undefined where it fits. An empty value is none. */
export function valueMistake({ type, isRequired }: Parameter, value: string): string | undefined {
  if (value === '') return isRequired ? 'not be empty: the parameter is required' : undefined;
  const rule: TypeRule | undefined = TYPE_RULES[type];
  return rule && !rule.fits(value) ? `be ${rule.rule}` : undefined;
}
