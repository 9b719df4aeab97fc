import { DAY_MS } from '../../../kernel/time/index.ts';
import { LAST_WALL, type ZonedTime, type ZoneName } from '../zones/wall.ts';
import { toInstant, toWall } from '../zones/zone.ts';
import type { Moment, MomentReader } from './moments.ts';
import { type ComponentNode, propertyOf, wordOf } from './tree.ts';
import { parseDuration } from './values.ts';

/** Times of an event. Without a start there is no end either. */
export interface Span {
  readonly start?: ZonedTime;
  readonly end?: ZonedTime;
  readonly isAllDay: boolean;
  readonly isFloating: boolean;
}

const isMidnight = (wall: number): boolean => wall % DAY_MS === 0;

/** Reads DTSTART with DTEND, with DURATION, or with the defaults of RFC 5545, section 3.6.1. An end before the start becomes the start. */
export function readSpan(node: ComponentNode, moments: MomentReader, mailboxZone: ZoneName): Span {
  const start = moments.read(propertyOf(node, 'DTSTART'));
  if (!start) return { isAllDay: false, isFloating: false };
  const end = endOf(node, start, moments.read(propertyOf(node, 'DTEND')));
  if (start.isDate) {
    // A date DTEND equal to DTSTART is a common way to write one day.
    const day = end.wall > start.time.wall ? Math.ceil(end.wall / DAY_MS) * DAY_MS : start.time.wall + DAY_MS;
    return { start: start.time, end: { wall: day, zone: start.time.zone }, isAllDay: true, isFloating: true };
  }
  if (wordOf(node, 'X-MICROSOFT-CDO-ALLDAYEVENT') === 'TRUE') {
    const days = wholeDays(start.time, end) ?? wholeDays(moved(start.time, mailboxZone), moved(end, mailboxZone));
    if (days) return { ...days.at(mailboxZone), isAllDay: true, isFloating: true };
  }
  const isBackwards = toInstant(end.zone, end.wall) < toInstant(start.time.zone, start.time.wall);
  return { start: start.time, end: isBackwards ? start.time : end, isAllDay: false, isFloating: start.isFloating };
}

function endOf(node: ComponentNode, start: Moment, end: Moment | undefined): ZonedTime {
  const { wall, zone } = start.time;
  // A date as the end of a timed event means midnight in the zone of the start.
  if (end) return end.isDate ? { wall: end.time.wall, zone } : end.time;
  const duration = parseDuration(propertyOf(node, 'DURATION')?.value ?? '');
  if (!duration) return { wall: start.isDate ? wall + DAY_MS : wall, zone };
  const day = Math.min(wall + duration.days, LAST_WALL);
  const exact = Math.min(duration.exact, LAST_WALL - day);
  // Hours are exact, so that a night across a DST change has the duration that the sender states.
  return { wall: start.isDate || exact === 0 ? day + exact : toWall(zone, toInstant(zone, day) + exact), zone };
}

const moved = ({ wall, zone }: ZonedTime, to: ZoneName): ZonedTime => ({
  wall: toWall(to, toInstant(zone, wall)),
  zone: to,
});

/** Outlook also writes all-day events as times. They count as days if both ends are midnights of one zone. */
function wholeDays(start: ZonedTime, end: ZonedTime) {
  if (start.zone !== end.zone || !isMidnight(start.wall) || !isMidnight(end.wall) || end.wall <= start.wall)
    return undefined;
  return {
    at: (zone: ZoneName) => ({ start: { wall: start.wall, zone }, end: { wall: end.wall, zone } }),
  };
}
