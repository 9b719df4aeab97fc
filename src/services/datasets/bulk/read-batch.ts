import { JsonBoundsError, jsonMistake } from '../../../kernel/values/index.ts';
import { LARGEST_STREAMED_BYTES } from '../limits.ts';
import { oneMistake } from '../model/mistakes.ts';
import { type Converter, convertExactly, type Row } from '../rows/converters.ts';
import { parseReparsable, type ReparsableJson } from '../rows/exact-json.ts';
import { bulkErrors } from './errors.ts';
import { linesOf } from './lines.ts';

const MEGABYTE = 1024 * 1024;

/** A request is one transaction and is held in memory, so its size is bounded; a longer file is sent in several requests. */
export const MOST_ROWS = 100_000;
export const MOST_BYTES = 64 * MEGABYTE;
/** More than 75 texts of 4,000 characters take, whatever their escaping. */
const LONGEST_LINE_BYTES = 4 * MEGABYTE;
/** Rows converted at once; unconverted values take several times the memory of converted ones. */
const SLICE = 1000;

/** Converted rows of a body with one JSON object per line. */
export interface ReadBatch {
  readonly rows: readonly Row[];
  readonly bytes: number;
  /** The unconverted rows, if they are small enough for the live stream. */
  readonly sent: readonly unknown[];
}

/** Converts rows while reading, so that unconverted rows do not accumulate in memory. Throws at the first invalid row. */
export async function readBatch(body: AsyncIterable<Buffer>, columns: number, convert: Converter): Promise<ReadBatch> {
  const rows: Row[] = [];
  let sent: unknown[] = [];
  let slice: ReparsableJson[] = [];
  let bytes = 0;
  const flush = (): void => {
    const parsed = slice.map(({ value }) => value);
    const exact = (): unknown[] => slice.map((line) => line.exact());
    for (const row of convertExactly(convert, parsed, exact, rows.length)) rows.push(row);
    if (bytes <= LARGEST_STREAMED_BYTES) sent.push(...parsed);
    else sent = [];
    slice = [];
  };
  // The bounds only keep the parser fast. The converter rejects names and values that are invalid in this table, with a specific message.
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

function parseLine(line: Buffer, number: number, bounds: Parameters<typeof parseReparsable>[1]): ReparsableJson {
  try {
    return parseReparsable(line, bounds);
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof JsonBoundsError)) throw cause;
    throw oneMistake(`rows[${number - 1}]`, jsonMistake(cause, `Row ${number}`));
  }
}

/** True if the line contains only JSON whitespace. */
function isBlank(line: Buffer): boolean {
  for (const byte of line) if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) return false;
  return true;
}
