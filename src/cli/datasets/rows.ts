import { LongNumber, parseReparsable } from '../../services/datasets/rows/exact-json.ts';
import type { ColumnAnswer } from './find.ts';

/** A row read from a file. */
export interface SourceRow {
  /** The line in the file, or the row number for formats without lines; counted from 1. */
  readonly at: number;
  /** A JSON object with the column names as keys. */
  readonly json: string;
}

export interface RowSource {
  /** Several rows at a time. */
  readonly chunks: AsyncIterable<readonly SourceRow[]>;
  /** The unit of `at`. */
  readonly place: 'line' | 'row';
  /** Size of the file; undefined for a pipe. */
  readonly bytes: number | undefined;
  bytesRead(): number;
}

/** The target table and options of a reader. */
export interface Wanted {
  readonly file: string;
  readonly columns: readonly ColumnAnswer[];
  /** The header that fills each column, by column name. */
  readonly map: ReadonlyMap<string, string>;
  readonly ignoreUnknown: boolean;
  /** Number of rows at the start to skip; a reader may still return them. */
  readonly skip: number;
}

/** If no run of digits (with or without a decimal point) is this long, every number is exact as a double. */
const LONG_NUMBER = /\d[\d.]{15}/;

/** Parses UTF-8 JSON with long numbers as `LongNumber`. Takes several times as long if there are any. */
export function parseExact(bytes: Buffer, bounds: Parameters<typeof parseReparsable>[1]): unknown {
  const read = parseReparsable(bytes, bounds);
  return LONG_NUMBER.test(bytes.toString('latin1')) ? read.exact() : read.value;
}

/**
 * JSON in which long numbers keep their digits. A number beyond the range of doubles becomes text, which number columns reject;
 * `JSON.stringify` would write null, which is a blank.
 */
export function exactJson(value: unknown): string {
  if (value instanceof LongNumber) return value.source;
  if (typeof value === 'number' && !Number.isFinite(value)) return JSON.stringify(String(value));
  return JSON.stringify(value) ?? 'null';
}

/** A value as unquoted text in a table or a CSV file. Null is blank. */
export function plainValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : exactJson(value);
}
