import type { LineStyle } from '../kernel/telemetry/colours.ts';
import { printable, printableLines } from '../kernel/telemetry/printable.ts';
import { readableLine } from '../kernel/telemetry/readable-log.ts';
import { isObject } from '../kernel/values/objects.ts';

/**
 * Formats one line of a jar's log for people. A line that is not a JSON object, such as output of Node itself, is kept without its control
 * characters.
 */
export function formatLogLine(line: string, style: LineStyle): string {
  if (!line.startsWith('{')) return printableLines(line);
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return printableLines(line);
  }
  return isObject(record) ? readableLine(record, style) : printableLines(line);
}

/** The line as JSON. Output of Node itself, such as a crash message, is wrapped in an object. */
export function logLineAsJson(line: string): string {
  try {
    JSON.parse(line);
    return printable(line);
  } catch {
    return printable(JSON.stringify({ msg: line }));
  }
}
