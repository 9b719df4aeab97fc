import { errors } from '../../errors.ts';

/** Types of columns, of function parameters and of return values. */
export const COLUMN_TYPES = [
  'ARRAY',
  'BINARY',
  'BOOLEAN',
  'BYTE',
  'CHAR',
  'DATE',
  'DECIMAL',
  'DOUBLE',
  'FLOAT',
  'GEOGRAPHY',
  'GEOMETRY',
  'INT',
  'INTERVAL',
  'LONG',
  'MAP',
  'NULL',
  'SHORT',
  'STRING',
  'STRUCT',
  'TABLE_TYPE',
  'TIME',
  'TIMESTAMP',
  'TIMESTAMP_NTZ',
  'USER_DEFINED_TYPE',
  'VARIANT',
] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** In SQL (`type_text`), and in the schema of a Delta table. Types that are missing here vary, so each value has a text of its own. */
const SPELLINGS: Readonly<Partial<Record<ColumnType, readonly [sql: string, delta: string]>>> = {
  BINARY: ['binary', 'binary'],
  BOOLEAN: ['boolean', 'boolean'],
  BYTE: ['tinyint', 'byte'],
  DATE: ['date', 'date'],
  DOUBLE: ['double', 'double'],
  FLOAT: ['float', 'float'],
  INT: ['int', 'integer'],
  LONG: ['bigint', 'long'],
  NULL: ['void', 'void'],
  SHORT: ['smallint', 'short'],
  STRING: ['string', 'string'],
  TIMESTAMP: ['timestamp', 'timestamp'],
  TIMESTAMP_NTZ: ['timestamp_ntz', 'timestamp_ntz'],
  VARIANT: ['variant', 'variant'],
};

const MOST_DIGITS = 38;
const DEFAULT_DIGITS = 10;

/** A type in a request: the name is required, the rest is derived from it if possible. */
export interface SentType {
  readonly type_name: ColumnType;
  readonly type_text?: string;
  readonly type_precision?: number;
  readonly type_scale?: number;
}

export interface CompleteType {
  readonly type_text: string;
  readonly type_precision: number;
  readonly type_scale: number;
}

/** The complete type, with precision and scale of decimals. Throws if neither the name nor the text determines it. */
export function completeType(at: string, { type_name: type, ...sent }: SentType): CompleteType {
  if (type === 'DECIMAL') return decimalType(at, sent);
  const text = sent.type_text ?? SPELLINGS[type]?.[0];
  if (text === undefined || text === '')
    throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: `${at}.type_text` });
  return { type_text: text, type_precision: sent.type_precision ?? 0, type_scale: sent.type_scale ?? 0 };
}

const DECIMAL = /^(?:decimal|dec|numeric)(?:\((\d{1,3})(?:,(\d{1,3}))?\))?$/i;

function decimalType(at: string, sent: Omit<SentType, 'type_name'>): CompleteType {
  const [, digits, places] = DECIMAL.exec((sent.type_text ?? '').replaceAll(' ', '')) ?? [];
  const precision = sent.type_precision || Number(digits ?? DEFAULT_DIGITS);
  const scale = sent.type_scale || Number(places ?? 0);
  if (precision < 1 || precision > MOST_DIGITS || scale < 0 || scale > precision)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The type of ${at} is not valid: a decimal has a precision of 1 to ${MOST_DIGITS} and a scale of at most the precision.`,
    });
  return { type_text: `decimal(${precision},${scale})`, type_precision: precision, type_scale: scale };
}

/** The type of a column in the schema of a Delta table; complex types keep their JSON or text. */
export const deltaType = (type: ColumnType, text: string): string =>
  SPELLINGS[type]?.[1] ?? (type === 'DECIMAL' ? text : text.toLowerCase());
