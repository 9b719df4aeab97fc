import type { RequestEntry, RequestLog } from '../../kernel/telemetry/index.ts';
import { requestErrors } from './errors.ts';

const DIGITS = 12;

/** Unique across all processes of a jar, and ordered as text within one process. */
export const idOf = ({ run }: RequestLog, number: number): string => `${run}-${String(number).padStart(DIGITS, '0')}`;

const ID = /^([0-9a-z]{1,12})-(\d{12})$/;

/** Whether a text has the form of an id. */
export const isId = (text: string): boolean => ID.test(text);

export function entryOf(log: RequestLog, id: string): RequestEntry {
  const [, run, digits] = ID.exec(id) ?? [];
  const shown = { id: id.slice(0, 60) };
  if (run === undefined) throw requestErrors.RequestNotFound(shown);
  if (run !== log.run) throw requestErrors.RequestOfOtherProcess(shown);
  const number = Number(digits);
  const entry = log.entry(number);
  if (entry) return entry;
  throw number > 0 && number < log.first ? requestErrors.RequestForgotten(shown) : requestErrors.RequestNotFound(shown);
}

/**
 * The first number after an id. An id of an earlier process returns the first entry, because everything in this process is new to that
 * client.
 */
export function numberAfter(log: RequestLog, id: string): number {
  const [, run, number] = ID.exec(id) ?? [];
  if (run === undefined) throw requestErrors.BadEventId({ id: id.slice(0, 60) });
  return run === log.run ? Math.min(Number(number) + 1, log.next) : log.first;
}
