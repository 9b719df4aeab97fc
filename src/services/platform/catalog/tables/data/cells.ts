import type { SchemaElement } from 'hyparquet';
import type { Column } from '../columns.ts';
import type { ColumnType } from '../types.ts';

/**
 * Values of rows in the representation of SQL statements: integers and the digits of decimals are `bigint`, timestamps milliseconds, dates
 * days since 1970. Binary values are texts with one character per byte; variants, lists, maps and structures are JSON texts.
 */
export type Cell = null | boolean | bigint | number | string;

type Stored = null | boolean | bigint | number | string | Uint8Array;

interface Storage {
  readonly element: Omit<SchemaElement, 'name'>;
  /** Converts a value other than `null` for the Parquet writer. */
  store(cell: Exclude<Cell, null>): Stored;
}

const TEXT: Storage = {
  element: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  store: String,
};

const small = (type: 'INT_8' | 'INT_16' | undefined): Storage => ({
  element: { type: 'INT32', ...(type && { converted_type: type }) },
  store: Number,
});

const timestamp = (isAdjustedToUTC: boolean): Storage => ({
  element: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC, unit: 'MICROS' } },
  store: (cell) => BigInt(Math.trunc(Number(cell))) * 1000n,
});

const STORAGE: Readonly<Partial<Record<ColumnType, Storage>>> = {
  BOOLEAN: { element: { type: 'BOOLEAN' }, store: (cell) => cell === true },
  BYTE: small('INT_8'),
  SHORT: small('INT_16'),
  INT: small(undefined),
  LONG: { element: { type: 'INT64' }, store: (cell) => BigInt(cell) },
  FLOAT: { element: { type: 'FLOAT' }, store: Number },
  DOUBLE: { element: { type: 'DOUBLE' }, store: Number },
  DATE: { element: { type: 'INT32', converted_type: 'DATE' }, store: Number },
  TIMESTAMP: timestamp(true),
  TIMESTAMP_NTZ: timestamp(false),
  BINARY: { element: { type: 'BYTE_ARRAY' }, store: (cell) => Buffer.from(String(cell), 'latin1') },
};

/** 16 bytes hold 38 digits. */
const decimal = (precision: number, scale: number): Storage => ({
  element: {
    type: 'FIXED_LEN_BYTE_ARRAY',
    type_length: 16,
    converted_type: 'DECIMAL',
    logical_type: { type: 'DECIMAL', precision, scale },
    precision,
    scale,
  },
  store: (cell) => BigInt(cell),
});

/** The Parquet representation of a column's values. Types without one are stored as text. */
export function storageOf({ type_name: type, type_precision: precision, type_scale: scale }: Column): Storage {
  return type === 'DECIMAL' ? decimal(precision, scale) : (STORAGE[type] ?? TEXT);
}

/** Converts a value from a file to the type of the table's column. A value that does not fit the type becomes `null`. */
export function cellOf({ type_name: type, type_scale: scale }: Column, value: unknown): Cell {
  if (value === null || value === undefined) return null;
  const read = READERS[type] ?? (type === 'DECIMAL' ? decimalCell(scale) : textCell);
  return read(value);
}

type Read = (value: unknown) => Cell;

const isNumeric = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

const integerCell: Read = (value) => {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isFinite(value) ? BigInt(Math.trunc(value)) : null;
};
const numberCell: Read = (value) => (isNumeric(value) ? Number(value) : null);
const jsonCell: Read = (value) =>
  typeof value === 'string'
    ? value
    : JSON.stringify(value, (_key, each) =>
        typeof each === 'bigint' ? Number(each) : each instanceof Uint8Array ? Buffer.from(each).toString() : each,
      );

const textCell: Read = (value) =>
  value instanceof Uint8Array
    ? Buffer.from(value).toString('utf8')
    : typeof value === 'object'
      ? jsonCell(value)
      : String(value);

const READERS: Readonly<Partial<Record<ColumnType, Read>>> = {
  BOOLEAN: (value) => (typeof value === 'boolean' ? value : null),
  BYTE: integerCell,
  SHORT: integerCell,
  INT: integerCell,
  LONG: integerCell,
  FLOAT: numberCell,
  DOUBLE: numberCell,
  DATE: numberCell,
  TIMESTAMP: numberCell,
  TIMESTAMP_NTZ: numberCell,
  BINARY: (value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)),
  ARRAY: jsonCell,
  MAP: jsonCell,
  STRUCT: jsonCell,
  VARIANT: jsonCell,
};

/** The reader returns the digits of decimals: a number, or big-endian bytes. */
const decimalCell =
  (scale: number): Read =>
  (value) => {
    if (value instanceof Uint8Array) {
      if (value.length === 0) return 0n;
      return BigInt.asIntN(value.length * 8, BigInt(`0x${Buffer.from(value).toString('hex')}`));
    }
    if (typeof value === 'bigint') return value;
    if (typeof value !== 'number' || !Number.isFinite(value)) return null;
    return Number.isInteger(value) ? BigInt(value) : BigInt(Math.round(value * 10 ** scale));
  };
