import type { LineStyle } from '../kernel/telemetry/colours.ts';
import { readableLine } from '../kernel/telemetry/readable-log.ts';
import { isObject } from '../kernel/values/objects.ts';

/** One line of a jar's log for people. A line that is no JSON object, such as what Node itself writes, stays as it is. */
export function formatLogLine(line: string, style: LineStyle): string {
  if (!line.startsWith('{')) return line;
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return line;
  }
  return isObject(record) ? readableLine(record, style) : line;
}
