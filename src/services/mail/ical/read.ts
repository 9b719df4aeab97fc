/**
 * Parses iCalendar as it arrives in mail. Not with `ical.js`: that library rejects the whole object for a missing END, a line without colon
 * or an unclosed quote, decodes before it unfolds, and has no bounds. Real invitations have all of these mistakes.
 */
import { isProblem, type Problem, problem } from '../mime/problem.ts';
import type { ZoneName } from '../zones/wall.ts';
import { toInstant } from '../zones/zone.ts';
import { CALENDAR_BOUNDS } from './bounds.ts';
import { readEvent } from './event.ts';
import { readLines } from './lines.ts';
import { MomentReader } from './moments.ts';
import { buildTree, type ComponentNode, textValue, wordOf } from './tree.ts';
import type { CalendarComponent, CalendarObject } from './types.ts';

/**
 * Parses the events of a calendar text. `mailboxZone` is the zone of times without a zone. `charset` is that of the MIME part (default:
 * UTF-8). Never throws: a Problem says why there are no events.
 */
export function readCalendar(
  source: string | Uint8Array,
  mailboxZone: ZoneName,
  charset?: string,
): CalendarObject | Problem {
  if (source.length === 0) return problem('empty', 'the calendar is empty');
  const lines = readLines(source, charset);
  if (isProblem(lines)) return lines;
  const calendars = buildTree(lines);
  if (isProblem(calendars)) return calendars;
  if (calendars.length === 0) return problem('notACalendar', 'there is no BEGIN:VCALENDAR');
  return readObject(calendars, mailboxZone);
}

/** Several calendars in one text are merged into one object if they agree on METHOD and UID. */
function readObject(calendars: readonly ComponentNode[], mailboxZone: ZoneName): CalendarObject | Problem {
  const withEvents = calendars.filter((calendar) => calendar.children.some(isEvent));
  const first = withEvents[0];
  if (!first) return problem('noEvent', 'the calendar has no VEVENT');
  const method = wordOf(first, 'METHOD');
  if (withEvents.some((calendar) => wordOf(calendar, 'METHOD') !== method)) {
    return problem('severalMethods', 'the text has several calendars with different METHODs');
  }
  const components = readEvents(
    withEvents.flatMap((calendar) => calendar.children.filter(isEvent)),
    calendars,
    mailboxZone,
    method,
  );
  if (isProblem(components)) return components;
  return { method, productId: textValue(first, 'PRODID').trim(), components: inOrder(components) };
}

const isEvent = (node: ComponentNode): boolean => node.kind === 'VEVENT';

function readEvents(
  nodes: readonly ComponentNode[],
  calendars: readonly ComponentNode[],
  mailboxZone: ZoneName,
  method: string,
): readonly CalendarComponent[] | Problem {
  const moments = new MomentReader(calendars, mailboxZone);
  const components: CalendarComponent[] = [];
  let datesLeft: number = CALENDAR_BOUNDS.dates;
  for (const node of nodes) {
    const component = readEvent(node, moments, mailboxZone, method, datesLeft);
    if (isProblem(component)) return component;
    if (component.uid !== (components[0] ?? component).uid) {
      return problem('severalUids', 'the calendar has events with different UIDs');
    }
    datesLeft -= component.exDates.length + component.dates.length;
    components.push(component);
  }
  return components;
}

/** The master first, then overrides by slot. Of two components for the same slot, the newer one is kept. */
function inOrder(components: readonly CalendarComponent[]): readonly CalendarComponent[] {
  const bySlot = new Map<number, CalendarComponent>();
  for (const component of components) {
    const slot = slotOf(component);
    const other = bySlot.get(slot);
    if (!other || isNewer(component, other)) bySlot.set(slot, component);
  }
  return [...bySlot].sort(([a], [b]) => a - b || 0).map(([, component]) => component);
}

function slotOf({ recurrenceId }: CalendarComponent): number {
  return recurrenceId ? toInstant(recurrenceId.time.zone, recurrenceId.time.wall) : Number.NEGATIVE_INFINITY;
}

function isNewer(a: CalendarComponent, b: CalendarComponent): boolean {
  return a.sequence === b.sequence ? (a.stamp ?? 0) >= (b.stamp ?? 0) : a.sequence > b.sequence;
}
