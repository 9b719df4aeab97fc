import { LongNumber, parseTwice } from '../../services/datasets/rows/exact-json.ts';
import type { ColumnAnswer } from './find.ts';

/** A row out of a file, on its way to the jar. */
export interface SourceRow {
  /** The line of the file, or the number of the row where a file has no lines; counted from 1. */
  readonly at: number;
  /** An object with the names of the columns. */
  readonly json: string;
}

export interface RowSource {
  /** Some rows at a time. */
  readonly chunks: AsyncIterable<readonly SourceRow[]>;
  /** What `at` counts. */
  readonly place: 'line' | 'row';
  /** How long the file is in all; nobody knows that of a pipe. */
  readonly bytes: number | undefined;
  bytesRead(): number;
}

/** What readers have to know of the table. */
export interface Wanted {
  readonly file: string;
  readonly columns: readonly ColumnAnswer[];
  /** Columns by name, with the header each is filled from. */
  readonly map: ReadonlyMap<string, string>;
  readonly ignoreUnknown: boolean;
  /** Rows at the beginning that are not needed; a reader may still give them. */
  readonly skip: number;
}

/** Where no run of digits, with or without a point in it, is this long, every number is exact as a double. */
const LONG_NUMBER = /\d[\d.]{15}/;

/** Parses JSON of UTF-8 in which long numbers are `LongNumber`. Takes several times as long where there are some. */
export function parseExact(bytes: Buffer, bounds: Parameters<typeof parseTwice>[1]): unknown {
  const read = parseTwice(bytes, bounds);
  return LONG_NUMBER.test(bytes.toString('latin1')) ? read.exact() : read.value;
}

/** JSON in which long numbers keep their digits. A number beyond all doubles is text, which no column of numbers accepts: JSON would make a blank of it. */
export function exactJson(value: unknown): string {
  if (value instanceof LongNumber) return value.source;
  if (typeof value === 'number' && !Number.isFinite(value)) return JSON.stringify(String(value));
  return JSON.stringify(value) ?? 'null';
}

/** A value as text in a table or a CSV file, without quotes. Null is a blank. */
export function plainValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : exactJson(value);
}
