import type { Json } from '../../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../../kernel/values/index.ts';
import { withoutSecrets } from '../../secrets/task-variables.ts';
import type { ReportedTable, TaskOutput } from '../task-run.ts';

/**
 * A program reports values by output lines with this prefix: `::cloudjar::value {"key":"rows","value":5}`, `::cloudjar::exit "done"`,
 * `::cloudjar::table {"name":"overlap"}`.
 */
const MARK = '::cloudjar::';
/** Longer outputs are truncated to this length. */
export const MOST_OUTPUT_CHARACTERS = 5 * 1024 * 1024;
/** Limit of one task value, as JSON. */
const LARGEST_VALUE_BYTES = 48 * 1024;

export interface ReadOutput {
  readonly output: TaskOutput;
  readonly values: JsonMembers | undefined;
}

/** The output of a program and the values that it reports, with these secrets removed. */
export function readOutput(written: string, hidden?: readonly string[]): ReadOutput {
  const text = withoutSecrets(written, hidden);
  const values: Record<string, Json> = {};
  const lines: string[] = [];
  const tables: ReportedTable[] = [];
  let result: string | undefined;
  for (const line of text.split('\n')) {
    if (!line.startsWith(MARK)) {
      lines.push(line);
      continue;
    }
    const [, word, rest = ''] = /^(\w+)\s*(.*)$/.exec(line.slice(MARK.length)) ?? [];
    const said = jsonOf(rest);
    if (word === 'exit') result = typeof said === 'string' ? said : rest;
    if (word === 'value' && isValue(said) && bytesOf(said.value) <= LARGEST_VALUE_BYTES) values[said.key] = said.value;
    if (word === 'table' && isTable(said) && tables.length < MOST_TABLES) tables.push(said);
  }
  const log = lines.join('\n');
  const isTruncated = log.length > MOST_OUTPUT_CHARACTERS;
  return {
    output: {
      log: log.slice(0, MOST_OUTPUT_CHARACTERS),
      isTruncated,
      ...(result !== undefined && resultOf(result)),
      ...(tables.length > 0 && { tables }),
    },
    values: Object.keys(values).length > 0 ? values : undefined,
  };
}

const resultOf = (result: string): Pick<TaskOutput, 'result' | 'isResultTruncated'> =>
  result.length > MOST_OUTPUT_CHARACTERS
    ? { result: result.slice(0, MOST_OUTPUT_CHARACTERS), isResultTruncated: true }
    : { result };

const bytesOf = (value: Json): number => Buffer.byteLength(JSON.stringify(value));

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isValue = (said: unknown): said is { readonly key: string; readonly value: Json } =>
  typeof said === 'object' && said !== null && 'key' in said && typeof said.key === 'string' && 'value' in said;

/** More tables than a run may create, so that exceeding the limit is detected. */
const MOST_TABLES = 1000;

const isTable = (said: unknown): said is ReportedTable =>
  typeof said === 'object' &&
  said !== null &&
  'name' in said &&
  typeof said.name === 'string' &&
  (!('rows' in said) || (Array.isArray(said.rows) && said.rows.every((row) => Array.isArray(row))));

/** The last non-empty line, for the message of a failed task. */
export const lastLine = (log: string): string => (log.trimEnd().split('\n').at(-1) ?? '').trim().slice(0, 500);
