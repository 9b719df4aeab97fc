import { isUtf8 } from 'node:buffer';
import { isObject } from '../../kernel/values/index.ts';
import { linesOf } from '../../services/datasets/bulk/lines.ts';
import { CliError } from '../errors.ts';
import { type Input, notText } from './input.ts';
import { exactJson, parseExact, type RowSource, type SourceRow, type Wanted } from './rows.ts';

const LONGEST_LINE = 16 * 1024 * 1024;
const CHUNK_ROWS = 1000;
/** Maximum number of keys whose column is cached. */
const MOST_KNOWN = 10_000;
const BOUNDS = { names: 100_000, values: 100_000, depth: 100, bytes: LONGEST_LINE };

/** Reads NDJSON. As in a push, a missing column is blank. */
export function readNdjson(input: Input, wanted: Wanted): RowSource {
  const { bytes, bytesRead } = input;
  return { chunks: rowsOf(input, wanted), place: 'line', bytes, bytesRead };
}

async function* rowsOf({ file, parts }: Input, wanted: Wanted): AsyncGenerator<SourceRow[]> {
  const toJson = jsonMaker(wanted);
  let rows: SourceRow[] = [];
  let line = 0;
  const mistake = (what: string): CliError => new CliError(`${file}, line ${line}: ${what}`);
  const tooLong = () => new CliError(`${file}, line ${line + 1}: the line has more than ${LONGEST_LINE} bytes`);
  for await (const bytes of linesOf(parts, LONGEST_LINE, tooLong)) {
    line += 1;
    if (bytes.length === 0 || bytes.toString('latin1').trim() === '') continue;
    if (!isUtf8(bytes)) throw notText(file, line);
    rows.push({ at: line, json: toJson(parsed(bytes, mistake), mistake) });
    if (rows.length < CHUNK_ROWS) continue;
    yield rows;
    rows = [];
  }
  yield rows;
}

type Complain = (what: string) => CliError;

function parsed(bytes: Buffer, mistake: Complain): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseExact(bytes, BOUNDS);
  } catch (error) {
    const { message } = error as Error;
    const isList = /^\s*\[/.test(bytes.toString('latin1', 0, 100));
    throw mistake(isList ? LIST : `this is not JSON: ${message.slice(0, 200)}`);
  }
  if (!isObject(value)) throw mistake(Array.isArray(value) ? LIST : 'a row must be a JSON object');
  return value;
}

const LIST = "a row must be a JSON object, but this is the start of a list; jq -c '.[]' writes its rows one per line";

/** Keys are matched to columns like headers, when they first occur. */
function jsonMaker(wanted: Wanted): (row: Readonly<Record<string, unknown>>, mistake: Complain) => string {
  const { columns, map, ignoreUnknown } = wanted;
  const known = new Map<string, number | undefined>();
  const mapped = new Map([...map].map(([column, key]) => [key, column]));
  const names = columns.map(({ name }) => `${JSON.stringify(name)}:`);
  const placeOf = (key: string): number | undefined => {
    if (known.has(key)) return known.get(key);
    const name = mapped.get(key) ?? key;
    const isFree = (column: string): boolean => mapped.has(key) || !map.has(column);
    let place = columns.findIndex((column) => column.name === name && isFree(column.name));
    if (place < 0)
      place = columns.findIndex((each) => each.name.toLowerCase() === name.toLowerCase() && isFree(each.name));
    const found = place < 0 ? undefined : place;
    if (known.size < MOST_KNOWN) known.set(key, found);
    return found;
  };
  return (row, mistake) => {
    const keys = new Array<string | undefined>(columns.length);
    let json = '';
    for (const key in row) {
      const place = placeOf(key);
      if (place === undefined) {
        if (ignoreUnknown) continue;
        throw mistake(
          `no column of the table is named '${key}'; match it with --map, or ignore it with --ignore-unknown`,
        );
      }
      const other = keys[place];
      if (other !== undefined)
        throw mistake(`'${other}' and '${key}' both match the column '${columns[place]?.name}'; choose one with --map`);
      keys[place] = key;
      json += `${json === '' ? '' : ','}${names[place]}${exactJson(row[key])}`;
    }
    return `{${json}}`;
  };
}
