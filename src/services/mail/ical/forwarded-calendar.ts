import { isProblem } from '../mime/problem.ts';
import { logicalLines } from './lines.ts';
import { foldLines } from './write-lines.ts';

/**
 * A calendar for forwarding: every line as its author wrote it, in UTF-8 and folded anew. RFC 5546 (3.2.2.6) requires invitations to be
 * forwarded unchanged; METHOD is added if only the MIME part had it. Returns undefined if the calendar cannot be read.
 */
export function forwardedCalendar(source: Uint8Array, charset: string | undefined, method: string): string | undefined {
  const lines = logicalLines(source, charset);
  if (isProblem(lines)) return undefined;
  if (lines.some((line) => /^METHOD[ \t]*[:;]/i.test(line))) return foldLines(lines);
  const begin = lines.findIndex((line) => /^BEGIN[ \t]*:[ \t]*VCALENDAR/i.test(line));
  return foldLines([...lines.slice(0, begin + 1), `METHOD:${method}`, ...lines.slice(begin + 1)]);
}
