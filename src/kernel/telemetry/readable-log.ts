import type { LineStyle } from './colours.ts';
import { eventLine, requestLine, type ShownRequest, stackLines } from './readable-line.ts';

/** A line of the JSON log: level, time, fields and message. */
export type LogRecord = Readonly<Record<string, unknown>>;

/** The message of a request or a delivery: method, address, and the status or the failure. Addresses contain no spaces. */
const REQUEST_MESSAGE = /^([A-Z]{1,20}) (\S+) (\S+)$/;

/** Fields that the readable line already shows in other ways, or that are only useful to programs. */
const SHOWN_OTHERWISE = new Set(['level', 'time', 'msg', 'err']);

/** Formats a log line for people, with the stack of an error below it. */
export function readableLine(record: LogRecord, style: LineStyle): string {
  const error = errorOf(record.err);
  const request = requestOf(record, error);
  const stack = error?.stack === undefined ? '' : stackLines(error.stack, style);
  if (request) return requestLine(request, style) + stack;
  const fields = Object.fromEntries(Object.entries(record).filter(([name]) => !SHOWN_OTHERWISE.has(name)));
  const message = textOf(record.msg) ?? '';
  const problem = error && !message.includes(error.message) ? { error: `${error.type}: ${error.message}` } : {};
  const level = textOf(record.level) ?? 'info';
  return eventLine({ time: numberOf(record.time), level, message, fields: { ...fields, ...problem } }, style) + stack;
}

function requestOf(record: LogRecord, error: ShownError | undefined): ShownRequest | undefined {
  const [, method, target, end] = REQUEST_MESSAGE.exec(textOf(record.msg) ?? '') ?? [];
  const ms = numberOf(record.ms);
  if (method === undefined || target === undefined || ms === undefined) return undefined;
  const status = numberOf(record.status);
  const isFailed = status === undefined || status >= 400;
  return {
    time: numberOf(record.time),
    outbound: record.direction === 'outbound',
    method,
    status,
    target,
    service: textOf(record.service),
    ms,
    code: textOf(record.code) ?? error?.type ?? (status === undefined ? end : undefined),
    reason: isFailed ? (textOf(record.reason) ?? error?.message) : undefined,
    fault: textOf(record.fault),
    attempt: numberOf(record.attempt),
    deliveries: numberOf(record.deliveries),
    nextAt: textOf(record.nextAt),
  };
}

interface ShownError {
  readonly type: string;
  readonly message: string;
  readonly stack: string | undefined;
}

/** The first line of a stack repeats the message, so it is removed. */
function errorOf(value: unknown): ShownError | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, message, stack } = value as LogRecord;
  const frames = textOf(stack)
    ?.split('\n')
    .filter((line) => line.trimStart().startsWith('at '));
  return {
    type: textOf(type) ?? 'Error',
    message: textOf(message) ?? '',
    stack: frames === undefined || frames.length === 0 ? undefined : frames.join('\n'),
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
