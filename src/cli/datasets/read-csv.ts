import { type CsvError, type InfoField, type InfoRecord, type Parser, parse } from 'csv-parse';
import { CliError } from '../errors.ts';
import { type Input, textOf } from './input.ts';
import { matchHeaders } from './match-columns.ts';
import type { RowSource, SourceRow, Wanted } from './rows.ts';

/** Without a limit, a quote that is never closed would read the rest of the file into memory. */
const LONGEST_RECORD = 8 * 1024 * 1024;
const LINE_BREAK = /\r\n|\r|\n/g;

/** Null for an empty field without quotes. */
type Field = string | null;

interface CsvRecord {
  readonly line: number;
  readonly fields: readonly Field[];
}

/** The first record has the headers. An empty field is blank; in a text column, a quoted empty field is an empty text. */
export function readCsv(input: Input, wanted: Wanted, delimiter: string): RowSource {
  const { bytes, bytesRead } = input;
  return { chunks: rowsOf(recordsOf(input, delimiter), wanted), place: 'line', bytes, bytesRead };
}

async function* rowsOf(chunks: AsyncIterable<readonly CsvRecord[]>, wanted: Wanted): AsyncGenerator<SourceRow[]> {
  let toRow: ((record: CsvRecord) => SourceRow) | undefined;
  for await (const records of chunks) {
    let rows = records;
    if (!toRow && records[0]) {
      toRow = rowMaker(records[0], wanted);
      rows = records.slice(1);
    }
    if (toRow && rows.length > 0) yield rows.map(toRow);
  }
  if (!toRow) throw new CliError(`${wanted.file} is empty; its first line must have the names of the columns`);
}

function rowMaker({ fields }: CsvRecord, wanted: Wanted): (record: CsvRecord) => SourceRow {
  const headers = fields.map((field) => field ?? '');
  const matched = matchHeaders(headers, wanted).map(({ column, index }) => ({
    index,
    name: `${JSON.stringify(column.name)}:`,
    isText: column.dataType === 'String',
  }));
  return (record) => {
    if (record.fields.length !== headers.length) throw wrongLength(wanted.file, record, headers.length);
    let json = '';
    for (const { index, name, isText } of matched) {
      const field = record.fields[index] ?? null;
      if (field === null || (!isText && field.trim() === '')) continue;
      json += `${json === '' ? '' : ','}${name}${JSON.stringify(field)}`;
    }
    return { at: record.line, json: `{${json}}` };
  };
}

function wrongLength(file: string, { line, fields }: CsvRecord, headers: number): CliError {
  const hint = fields.length === 1 ? '; does the file need another --delimiter?' : '';
  const values = fields.length === 1 ? '1 value' : `${fields.length} values`;
  return new CliError(`${file}, line ${line}: the line has ${values}, and the header has ${headers}${hint}`);
}

/** The records in each piece of text. They are collected by callback, because reading the parser as a stream takes twice as long. */
async function* recordsOf(input: Input, delimiter: string): AsyncGenerator<readonly CsvRecord[]> {
  let found: CsvRecord[] = [];
  let line = 1;
  let last = 0;
  let width = 0;
  const collect = (fields: readonly Field[], { lines }: InfoRecord): null => {
    width ||= fields.length;
    // An empty line is a blank value if there is one column, and is ignored if there are several.
    const isEmpty = fields.length === 1 && fields[0] === null && width > 1;
    if (!isEmpty) found.push({ line, fields });
    // The parser counts CRLF inside quotes twice, so its line number only shows that there are line breaks.
    line += 1 + (lines > last + 1 ? breaksIn(fields) : 0);
    last = lines;
    return null;
  };
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: LONGEST_RECORD,
    cast: (value: string, { quoting }: InfoField): Field => (value === '' && !quoting ? null : value),
    on_record: collect,
  });
  let failure: Error | undefined;
  parser.on('error', (error) => {
    failure = error;
  });
  parser.resume();
  for await (const text of textOf(input)) {
    await written(parser, text);
    if (failure) throw mistakeOf(`${input.file}, line ${line}`, failure);
    yield found;
    found = [];
  }
  await written(parser);
  if (failure) throw mistakeOf(`${input.file}, line ${line}`, failure);
  yield found;
}

const written = (parser: Parser, text?: string): Promise<void> =>
  new Promise((resolve) => {
    if (text !== undefined) parser.write(text, () => resolve());
    else parser.once('error', () => resolve()).end(() => resolve());
  });

const breaksIn = (fields: readonly Field[]): number =>
  fields.reduce((sum, field) => sum + (field?.match(LINE_BREAK)?.length ?? 0), 0);

const MISTAKES: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  CSV_INVALID_CLOSING_QUOTE:
    'a closing quote must be followed by a delimiter or the end of the line; a quote within quotes is written twice',
  INVALID_OPENING_QUOTE: 'an unquoted value contains a quote; put the value in quotes, and write the quote twice',
  CSV_MAX_RECORD_SIZE: `the record has more than ${LONGEST_RECORD} characters; a quote may be missing`,
};

/** The position is the start of the record. */
function mistakeOf(place: string, error: Error): CliError {
  const { code = '' } = error as Partial<CsvError>;
  return new CliError(`${place}: ${MISTAKES[code] ?? error.message}`, 1, { cause: error });
}
