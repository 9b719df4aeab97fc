import type { LineStyle } from '../kernel/telemetry/colours.ts';
import { printable, printableLines } from '../kernel/telemetry/printable.ts';
import { readableLine } from '../kernel/telemetry/readable-log.ts';
import { isObject } from '../kernel/values/objects.ts';

/** One line of a jar's log for people. A line that is no JSON object, such as what Node itself writes, stays as it is, but for control characters. */
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

/** The same line as JSON. Lines of Node itself, such as those of a crash, are no JSON. */
export function logLineAsJson(line: string): string {
  try {
    JSON.parse(line);
    return printable(line);
  } catch {
    return printable(JSON.stringify({ msg: line }));
  }
}
