import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  daysBetween,
  isMaster,
  type Master,
  occurrenceOn,
  seriesOf,
  slots,
} from '../../../../src/services/mail/calendar/content.ts';
import { storedSpan } from '../../../../src/services/mail/calendar/span.ts';
import { instantOf, type Span, spanOf } from '../../../../src/services/mail/calendar/times.ts';
import type { CalendarEvent, EventException } from '../../../../src/services/mail/calendar/types.ts';
import { NO_LOCATION } from '../../../../src/services/mail/messages/location.ts';
import { formatDate, type Wall } from '../../../../src/services/mail/zones/wall.ts';
import { onAnyStore } from '../../../support/jars.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia'];
const FIRST = Date.UTC(2026, 0, 1);

/** A series in a year with DST changes, with exceptions and deleted occurrences. */
const series = fc
  .record({
    rule: fc.constantFrom(
      'FREQ=DAILY',
      'FREQ=DAILY;INTERVAL=3',
      'FREQ=WEEKLY;BYDAY=MO,TH;WKST=SU',
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;WKST=MO',
      'FREQ=MONTHLY;BYMONTHDAY=-1',
      'FREQ=MONTHLY;BYDAY=2TU',
      'FREQ=HOURLY;INTERVAL=5',
    ),
    end: fc.oneof(
      fc.constant(''),
      fc.integer({ min: 1, max: 60 }).map((count) => `;COUNT=${count}`),
      fc.integer({ min: 1, max: 300 }).map((days) => `;UNTIL=${formatDate(FIRST + days * DAY).replaceAll('-', '')}`),
    ),
    zone: fc.constantFrom(...ZONES),
    dayZone: fc.constantFrom(...ZONES),
    day: fc.integer({ min: 0, max: 365 }),
    minutes: fc.integer({ min: 0, max: 1439 }),
    length: fc.integer({ min: 0, max: 30 * 60 }),
    isAllDay: fc.boolean(),
    picked: fc.array(fc.record({ at: fc.nat(40), isDeleted: fc.boolean(), by: fc.integer({ min: -50, max: 50 }) }), {
      maxLength: 6,
    }),
  })
  .map(({ rule, end, zone, dayZone, day, minutes, length, isAllDay, picked }) => {
    const wall = FIRST + day * DAY + (isAllDay ? 0 : minutes * 60_000);
    const until = isAllDay ? DAY : length * 60_000;
    const plain = event(`${rule}${end}`, { wall, zone }, { wall: wall + until, zone }, isAllDay);
    const days = daysBetween(seriesOf(plain), { from: wall, to: wall + 400 * DAY }).slots;
    const exceptions: Record<string, EventException> = {};
    const cancelled: string[] = [];
    for (const { at, isDeleted, by } of picked) {
      const slot = days[at % days.length] as Wall;
      const moved = slot + (isAllDay ? Math.trunc(by / 24) * DAY : by * HOUR);
      if (isDeleted) cancelled.push(formatDate(slot));
      else exceptions[formatDate(slot)] = { start: { wall: moved, zone }, end: { wall: moved + until, zone } };
    }
    return { master: { ...plain, series: { ...plain.series, exceptions, cancelled } }, days, dayZone };
  });

function event(rule: string, start: CalendarEvent['start'], end: CalendarEvent['end'], isAllDay: boolean): Master {
  return {
    uid: 'aaaaaaaaaaaaaaaa',
    mailbox: 'm',
    calendar: 'c',
    generation: 0,
    number: 1,
    createdNumber: 1,
    createdAt: 0,
    modifiedAt: 0,
    iCalUid: 'uid',
    isOrganizer: true,
    organizer: { name: '', address: '' },
    response: { response: 'organizer' },
    isCancelled: false,
    sequence: 0,
    stamp: 0,
    intendedShowAs: 'busy',
    spanFrom: 0,
    spanTo: 0,
    subject: '',
    body: { contentType: 'html', content: '' },
    bodyPreview: '',
    start,
    end,
    startZoneName: start.zone,
    endZoneName: end.zone,
    isAllDay,
    location: NO_LOCATION,
    locations: [],
    attendees: [],
    importance: 'normal',
    sensitivity: 'normal',
    showAs: 'busy',
    categories: [],
    isReminderOn: true,
    reminderMinutes: 15,
    responseRequested: true,
    allowNewTimeProposals: true,
    hideAttendees: false,
    isOnlineMeeting: false,
    onlineMeetingProvider: 'unknown',
    hasAttachments: false,
    series: { rules: [rule], dates: [], exceptions: {}, cancelled: [] },
  };
}

const window = fc
  .tuple(fc.integer({ min: -10, max: 500 }), fc.integer({ min: 0, max: 24 * 40 }))
  .map(([day, hours]): Span => ({ from: FIRST + day * DAY, to: FIRST + day * DAY + hours * HOUR }));

describe('the occurrences of a series within a window', () => {
  it('are the existing occurrences that overlap it', () => {
    fc.assert(
      fc.property(series, window, ({ master, dayZone }, { from, to }) => {
        const all = daysBetween(seriesOf(master), { from: master.start.wall, to: to + 60 * DAY }).slots;
        const expected = all
          .map(formatDate)
          .filter((day) => !master.series.cancelled.includes(day))
          .filter((day) => {
            const occurrence = occurrenceOn(master, day);
            if (!occurrence) return false;
            const span = spanOf(occurrence, dayZone);
            const isEmpty = span.from === span.to;
            return span.from < to && (isEmpty ? span.from >= from : span.to > from);
          });
        const found = slots(master, { from, to }, dayZone);
        expect(found.isIncomplete).toBe(false);
        const days = found.events.map((each) => ('day' in each ? each.day : ''));
        expect([...days].sort()).toEqual(expected.sort());
        const starts = found.events.map((each) => spanOf(each, dayZone).from);
        expect(starts).toEqual([...starts].sort((a, b) => a - b));
      }),
    );
  });

  it('are within the span under which the series is found, which has a day around for all-day events', () => {
    fc.assert(
      fc.property(series, window, ({ master, dayZone }, { from, to }) => {
        const { spanFrom, spanTo } = storedSpan(master);
        for (const each of slots(master, { from, to }, dayZone).events) {
          const span = spanOf(each, dayZone);
          expect(span.from).toBeGreaterThanOrEqual(spanFrom - DAY);
          expect(span.to).toBeLessThanOrEqual((spanTo ?? Number.POSITIVE_INFINITY) + DAY);
        }
      }),
    );
  });

  it('have the time of day of their series, and never end before they start', () => {
    fc.assert(
      fc.property(series, ({ master, days }) => {
        const plain = { ...master, series: { ...master.series, exceptions: {}, cancelled: [] } };
        for (const slot of days.slice(0, 50)) {
          const occurrence = occurrenceOn(plain, formatDate(slot));
          expect(occurrence?.start).toEqual({ wall: slot, zone: master.start.zone });
          if (occurrence) expect(instantOf(occurrence.end)).toBeGreaterThanOrEqual(instantOf(occurrence.start));
        }
        expect(isMaster(plain)).toBe(true);
      }),
    );
  });

  it('of a series that repeats every second are one a day, without the cost of the seconds between', () => {
    const start = { wall: FIRST, zone: 'Europe/Berlin' };
    const master = event('FREQ=SECONDLY', start, start, false);
    const { events, isIncomplete } = slots(master, { from: FIRST, to: FIRST + 1000 * DAY }, 'UTC');
    expect([events.length, isIncomplete]).toEqual([1000, false]);
  });

  it('of a series that counts two billion seconds and has a thousand exceptions are found within bounds', () => {
    const start = { wall: FIRST, zone: 'Europe/Berlin' };
    const counted = event('FREQ=SECONDLY;COUNT=2000000000', start, start, false);
    const days = Array.from({ length: 1000 }, (_, day) => formatDate(FIRST + (day + 400) * DAY));
    const exceptions = Object.fromEntries(days.map((day) => [day, { start, end: start }]));
    const hostile = { ...counted, series: { ...counted.series, exceptions } };
    const { events, isIncomplete } = slots(hostile, { from: FIRST - DAY, to: FIRST + 1000 * DAY }, 'UTC');
    expect(isIncomplete).toBe(true);
    expect(events.length).toBeGreaterThan(1000);
  });
});

onAnyStore('exceptions of a series', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('never pass their neighbours, for any sequence of moves', async () => {
    const day = (count: number, hour: number) => ({
      dateTime: `${formatDate(Date.UTC(2026, 4, 1) + count * DAY)}T${String(hour).padStart(2, '0')}:00:00`,
      timeZone: 'Europe/Berlin',
    });
    const move = fc.record({
      slot: fc.nat(9),
      to: fc.integer({ min: -5, max: 35 }),
      hour: fc.nat(23),
      isDeletion: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 12 }), async (moves) => {
        await bench.jar.reset();
        const recurrence = {
          pattern: { type: 'daily', interval: 3 },
          range: { type: 'numbered', startDate: '2026-05-01', numberOfOccurrences: 10 },
        };
        const body = { start: day(0, 9), end: day(0, 10), recurrence };
        const { id } = (await bench.call('POST', '/beta/me/events', { body })).body;
        for (const { slot, to, hour, isDeletion } of moves) {
          const path = `/beta/me/events/OID.${id}.${day(slot * 3, 0).dateTime.slice(0, 10)}`;
          const times = { start: day(to, hour), end: day(to, hour) };
          if (isDeletion && hour % 3 === 0) await bench.call('DELETE', path);
          else expect([200, 400, 404]).toContain((await bench.call('PATCH', path, { body: times })).status);
        }
        const query = 'startDateTime=2026-01-01&endDateTime=2026-12-31&$top=100';
        const found = (
          await bench.call('GET', `/beta/me/events/${id}/instances?${query}`, {
            headers: { prefer: 'outlook.timezone="Europe/Berlin"' },
          })
        ).body.value.toSorted((a: { originalStart: string }, b: { originalStart: string }) =>
          a.originalStart < b.originalStart ? -1 : 1,
        );
        const days = found.map(({ start }: { start: { dateTime: string } }) => start.dateTime.slice(0, 10));
        expect(days).toEqual([...new Set(days)].sort());
      }),
      { numRuns: 15 },
    );
  });
});
