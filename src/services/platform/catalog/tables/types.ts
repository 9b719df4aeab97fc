import { errors } from '../../errors.ts';

/** The types of columns, of parameters of functions and of what functions return. */
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

/** As SQL writes them (`type_text`), and as the schema of a Delta table does. Types that are not here have a text of their own each time. */
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

/** A type as it is sent: the name is needed, the rest follows from it where it can. */
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

/** What a type is called, with the digits of decimals. Throws where the name does not say the type and no text does. */
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
      reason: `The type of ${at} is not valid: a decimal has from 1 to ${MOST_DIGITS} digits, and no more of them behind the point than in all.`,
    });
  return { type_text: `decimal(${precision},${scale})`, type_precision: precision, type_scale: scale };
}

/** The type of a column in the schema of a Delta table; complex ones are kept as their JSON said, or as text. */
export const deltaType = (type: ColumnType, text: string): string =>
  SPELLINGS[type]?.[1] ?? (type === 'DECIMAL' ? text : text.toLowerCase());
