import { parseDate, parseInstant } from '../../../kernel/odata/index.ts';

/** Validates values of one parameter type. Values of types without a rule cannot be changed through the API. */
interface TypeRule {
  /** Describes valid values in the message, after "must be". */
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

/** A parameter of the queries behind a dataset. */
export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly isRequired: boolean;
  readonly currentValue?: string;
  readonly suggestedValues?: readonly string[];
}

/** The message for an invalid value, after "must"; undefined if the value is valid. An empty value counts as missing. */
export function valueMistake({ type, isRequired }: Parameter, value: string): string | undefined {
  if (value === '') return isRequired ? 'not be empty: the parameter is required' : undefined;
  const rule: TypeRule | undefined = TYPE_RULES[type];
  return rule && !rule.fits(value) ? `be ${rule.rule}` : undefined;
}
