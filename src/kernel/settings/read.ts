import type { LimitChange } from '../limits/index.ts';
import { parseDuration } from '../time/duration.ts';
import {
  type Case,
  type LimitRow,
  type Row,
  type SettingRow,
  type SettingsTable,
  type SettingValue,
  spellingsOf,
} from './table.ts';

/** An invalid value of a setting, with the reason. */
export class SettingMistake extends Error {
  readonly setting: string;
  constructor(setting: string, reason: string) {
    super(reason);
    this.setting = setting;
  }
}

/** `null` resets a setting. */
export type Changes<S> = { readonly [N in keyof S]?: S[N] | null };

export interface ReadSettings<S> {
  /** By canonical name; durations in milliseconds. */
  readonly values: Changes<S>;
  readonly limits: readonly (Pick<LimitChange, 'name'> & { readonly row: LimitRow; readonly limit: number | null })[];
}

/** Validates given settings against the rows of the table. Names without a row are ignored, because other code reads them. */
export function readSettings<S extends object>(
  table: SettingsTable<S>,
  given: Readonly<Record<string, unknown>>,
): ReadSettings<S> {
  const values: Record<string, SettingValue | null> = {};
  const limits: ReadSettings<S>['limits'][number][] = [];
  for (const [name, row] of Object.entries(table.rows)) {
    const value = givenValue(table, given, name);
    if (value === undefined) continue;
    if (row.kind === 'limit') {
      limits.push({ name: row.limit.name, row, limit: value === null ? null : count(name, value, row) });
    } else {
      values[name] = value === null ? null : readValue(name, value, row);
    }
  }
  // Each value was validated by the row that its type is derived from.
  return { values: values as Changes<S>, limits };
}

function givenValue(table: SettingsTable<object>, given: Readonly<Record<string, unknown>>, name: string): unknown {
  const [first, second] = spellingsOf(table, name).filter((spelling) => given[spelling] !== undefined);
  if (second !== undefined) throw new SettingMistake(name, `is given twice, also as '${second}'`);
  return first === undefined ? undefined : given[first];
}

function readValue(name: string, value: unknown, row: Exclude<SettingRow, LimitRow>): SettingValue {
  if (row.kind === 'flag') return flag(name, value);
  if (row.kind === 'durations') return list(name, value).map((each) => duration(name, each, row));
  const read = (each: unknown): number => (row.kind === 'duration' ? duration : count)(name, each, row);
  return row.by ? cases(name, value, row.by, read) : read(value);
}

type Range = Pick<Row, 'from' | 'to'>;

function flag(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new SettingMistake(name, 'must be true or false');
}

function count(name: string, value: unknown, { from, to }: Range): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to) return value;
  throw new SettingMistake(name, `must be a whole number from ${from} to ${to}`);
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `3.00:00:00`, the .NET format of a time span. */
const TIME_SPAN = /^(?:(\d{1,5})\.)?(\d{1,2}):(\d{2}):(\d{2})$/;

function duration(name: string, value: unknown, { from, to }: Range): number {
  const ms = milliseconds(name, value);
  if (ms >= from && ms <= to) return ms;
  throw new SettingMistake(name, `must be from ${from} to ${to} milliseconds, not ${ms}`);
}

function milliseconds(name: string, value: unknown): number {
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new SettingMistake(name, "must be a number of milliseconds or a duration such as '30s'");
  }
  const span = typeof value === 'string' ? TIME_SPAN.exec(value.trim()) : null;
  if (span) {
    const [days = 0, hours = 0, minutes = 0, seconds = 0] = span.slice(1).map((part) => Number(part ?? 0));
    return days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND;
  }
  try {
    return parseDuration(value);
  } catch (error) {
    throw new SettingMistake(name, `must be a duration: ${(error as Error).message}`);
  }
}

const MOST_ROWS = 100;

function list(name: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0 && value.length <= MOST_ROWS) return value;
  throw new SettingMistake(name, `must be a list of 1 to ${MOST_ROWS} items`);
}

/** Reads a number, or a list of cases. */
function cases(
  name: string,
  value: unknown,
  by: readonly string[],
  read: (value: unknown) => number,
): number | readonly Case[] {
  if (!Array.isArray(value)) return read(value);
  return list(name, value).map((each) => {
    const given: Readonly<Record<string, unknown>> = { ...(each as object | null) };
    const words: Record<string, string> = {};
    for (const word of by) {
      const said = given[word];
      if (said === undefined) continue;
      if (typeof said !== 'string')
        throw new SettingMistake(name, `must give ${by.map((one) => `'${one}'`).join(' and ')} as text`);
      words[word] = said;
    }
    return { ...words, value: read(given.value) } as Case;
  });
}
