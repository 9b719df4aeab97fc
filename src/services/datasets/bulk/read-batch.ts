import { JsonBoundsError, jsonMistake } from '../../../kernel/values/index.ts';
import { LARGEST_STREAMED_BYTES } from '../limits.ts';
import { oneMistake } from '../model/mistakes.ts';
import { type Converter, convertTwice, type Row } from '../rows/converters.ts';
import { parseTwice, type ReadTwice } from '../rows/exact-json.ts';
import { bulkErrors } from './errors.ts';
import { linesOf } from './lines.ts';

const MEGABYTE = 1024 * 1024;

/** A request is one transaction and is in memory, so that it has bounds; a file of any length is sent in several. */
export const MOST_ROWS = 100_000;
export const MOST_BYTES = 64 * MEGABYTE;
/** More than 75 texts of 4,000 characters take, however they are escaped. */
const LONGEST_LINE_BYTES = 4 * MEGABYTE;
/** Values that are not converted yet take several times the memory of those that are. */
const SLICE = 1000;

/** Rows as they are stored, out of a body of one JSON object a line. */
export interface ReadBatch {
  readonly rows: readonly Row[];
  readonly bytes: number;
  /** As sent, where they are few enough to be shown live. */
  readonly sent: readonly unknown[];
}

/** Converts while it reads: of a row that is converted nothing else is kept. Throws for the first row that does not fit. */
export async function readBatch(body: AsyncIterable<Buffer>, columns: number, convert: Converter): Promise<ReadBatch> {
  const rows: Row[] = [];
  let sent: unknown[] = [];
  let slice: ReadTwice[] = [];
  let bytes = 0;
  const flush = (): void => {
    const parsed = slice.map(({ value }) => value);
    const exact = (): unknown[] => slice.map((line) => line.exact());
    for (const row of convertTwice(convert, parsed, exact, rows.length)) rows.push(row);
    if (bytes <= LARGEST_STREAMED_BYTES) sent.push(...parsed);
    else sent = [];
    slice = [];
  };
  // Names and values that no row of this table can have are left to the converter, which says what is wrong; the bounds only keep the parser fast.
  const bounds = { names: 10 * (columns + 10), values: 10 * (columns + 10), depth: 10, bytes: LONGEST_LINE_BYTES };
  const tooLong = () => bulkErrors.RowTooLong({ number: rows.length + slice.length + 1, megabytes: 4 });
  for await (const line of linesOf(body, LONGEST_LINE_BYTES, tooLong)) {
    bytes += line.length + 1;
    if (isBlank(line)) continue;
    const number = rows.length + slice.length + 1;
    if (number > MOST_ROWS || bytes > MOST_BYTES)
      throw bulkErrors.BatchTooLarge({ rows: MOST_ROWS, megabytes: MOST_BYTES / MEGABYTE });
    slice.push(parseLine(line, number, bounds));
    if (slice.length >= SLICE) flush();
  }
  flush();
  return { rows, bytes, sent };
}

function parseLine(line: Buffer, number: number, bounds: Parameters<typeof parseTwice>[1]): ReadTwice {
  try {
    return parseTwice(line, bounds);
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof JsonBoundsError)) throw cause;
    throw oneMistake(`rows[${number - 1}]`, jsonMistake(cause, `Row ${number}`));
  }
}

/** Nothing but what JSON allows around values. */
function isBlank(line: Buffer): boolean {
  for (const byte of line) if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) return false;
  return true;
}
