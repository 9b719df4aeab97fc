import fc from 'fast-check';
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import { describe, expect, it } from 'vitest';
import { readCalendar } from '../../../../src/services/mail/ical/read.ts';
import type { CalendarComponent, CalendarObject } from '../../../../src/services/mail/ical/types.ts';
import { writeCalendar } from '../../../../src/services/mail/ical/write.ts';
import { isProblem } from '../../../../src/services/mail/mime/problem.ts';
import { toInstant } from '../../../../src/services/mail/zones/zone.ts';
import { SENDERS, senderNames } from '../fixtures/mails.ts';
import { BOB, CARLA, meeting, ROOM } from '../fixtures/meeting.ts';

const ZONE = 'Europe/Berlin';
const wall = (text: string): number => Date.parse(`${text}Z`);

const EVENT: CalendarComponent = {
  uid: 'one@a.example',
  sequence: 1,
  stamp: wall('2026-01-01T00:00:00'),
  start: { wall: wall('2026-01-05T09:00:00'), zone: ZONE },
  end: { wall: wall('2026-01-05T10:00:00'), zone: ZONE },
  isAllDay: false,
  isFloating: false,
  rules: [],
  exDates: [],
  dates: [],
  summary: 'Review',
  description: '',
  htmlDescription: '',
  location: '',
  locations: [],
  organizer: { address: 'ann@a.example', name: 'Ann' },
  attendees: [
    {
      address: 'bob@b.example',
      name: 'Bob',
      role: 'REQ-PARTICIPANT',
      partStat: 'NEEDS-ACTION',
      cuType: 'INDIVIDUAL',
      rsvp: true,
      delegatedTo: [],
      delegatedFrom: [],
    },
  ],
  status: 'CONFIRMED',
  classification: 'PUBLIC',
  transparency: 'OPAQUE',
  disallowCounter: false,
  comment: '',
  categories: [],
  requestStatus: [],
  attachments: [],
};

const object = (changes: Partial<CalendarComponent> = {}, method = 'REQUEST'): CalendarObject => ({
  method,
  productId: '-//A//B//EN',
  components: [{ ...EVENT, ...changes }],
});

const readBack = (text: string): CalendarObject => {
  const result = readCalendar(text, ZONE);
  if (isProblem(result)) throw new Error(result.reason);
  return result;
};

const linesOf = (text: string): string[] => text.replaceAll('\r\n ', '').split('\r\n');

describe('a written calendar', () => {
  it('has CRLF, and lines of at most 75 octets with whole characters', () => {
    const text = writeCalendar(
      object({ summary: '🎉ü'.repeat(100), description: `${'x'.repeat(500)}\n${'ü'.repeat(500)}` }),
    );
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    for (const line of text.split('\r\n')) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(Buffer.from(line).toString()).toBe(line);
    }
    expect(readBack(text).components[0]?.summary).toBe('🎉ü'.repeat(100));
  });

  it('defines every zone that it names, once', () => {
    const text = writeCalendar(
      object({
        end: { wall: wall('2026-01-05T19:00:00'), zone: 'Asia/Tokyo' },
        exDates: [{ time: { wall: wall('2026-01-06T09:00:00'), zone: ZONE }, isDate: false }],
        originalStart: { wall: wall('2026-01-05T08:00:00'), zone: 'UTC' },
      }),
    );
    const named = new Set(linesOf(text).flatMap((line) => /;TZID="?([^":;]+)/.exec(line)?.[1] ?? []));
    const defined = linesOf(text).flatMap((line) => /^TZID:(.*)$/.exec(line)?.[1] ?? []);
    expect(defined.sort()).toEqual([...named].sort());
    expect(named.size).toBe(2);
    expect(linesOf(text)).toContain('X-MS-OLK-ORIGINALSTART:20260105T080000Z');
  });

  it('carries the properties that Outlook looks at', () => {
    const lines = linesOf(
      writeCalendar(
        object({
          busyStatus: 'TENTATIVE',
          intendedStatus: 'BUSY',
          importance: 2,
          disallowCounter: true,
          htmlDescription: '<b>a, b</b>',
          ownerAppointmentId: '7',
          instanceType: 1,
        }),
      ),
    );
    expect(lines).toEqual(
      expect.arrayContaining([
        'METHOD:REQUEST',
        'X-MICROSOFT-CDO-APPT-SEQUENCE:1',
        'X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE',
        'X-MICROSOFT-CDO-INTENDEDSTATUS:BUSY',
        'X-MICROSOFT-CDO-IMPORTANCE:2',
        'X-MICROSOFT-CDO-ALLDAYEVENT:FALSE',
        'X-MICROSOFT-DISALLOW-COUNTER:TRUE',
        'X-MICROSOFT-CDO-OWNERAPPTID:7',
        'X-MICROSOFT-CDO-INSTTYPE:1',
        'X-ALT-DESC;FMTTYPE=text/html:<b>a\\, b</b>',
      ]),
    );
  });

  it('writes days as dates, and floating times without a zone', () => {
    const day = (text: string) => ({ wall: wall(text), zone: ZONE });
    const lines = linesOf(
      writeCalendar(
        object({
          isAllDay: true,
          isFloating: true,
          start: day('2026-01-05T00:00:00'),
          end: day('2026-01-06T00:00:00'),
        }),
      ),
    );
    expect(lines).toEqual(
      expect.arrayContaining([
        'DTSTART;VALUE=DATE:20260105',
        'DTEND;VALUE=DATE:20260106',
        'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
      ]),
    );
    expect(linesOf(writeCalendar(object({ isFloating: true })))).toContain('DTSTART:20260105T090000');
  });

  it('names the critical change property by the side that made it', () => {
    const change = { criticalChange: wall('2026-01-02T00:00:00') };
    expect(writeCalendar(object(change, 'REPLY'))).toContain(
      'X-MICROSOFT-CDO-ATTENDEE-CRITICAL-CHANGE:20260102T000000Z',
    );
    expect(writeCalendar(object(change))).toContain('X-MICROSOFT-CDO-OWNER-CRITICAL-CHANGE:20260102T000000Z');
  });

  it('cannot be broken out of by any value', () => {
    const evil = 'x\r\nATTENDEE:mailto:evil@e.example\nBEGIN:VEVENT\u2028END:VEVENT\r\u0000"; ^:,';
    const person = { address: evil, name: evil, sentBy: evil };
    const text = writeCalendar({
      method: evil,
      productId: evil,
      components: [
        {
          ...EVENT,
          uid: evil,
          summary: evil,
          description: evil,
          htmlDescription: evil,
          location: evil,
          locations: [{ displayName: evil, address: evil }],
          organizer: person,
          attendees: [
            {
              ...person,
              role: evil,
              partStat: evil,
              cuType: evil,
              delegatedTo: [evil],
              delegatedFrom: [evil],
              comment: evil,
            },
          ],
          rules: [evil],
          status: evil,
          classification: evil,
          transparency: evil,
          busyStatus: evil,
          intendedStatus: evil,
          comment: evil,
          categories: [evil],
          requestStatus: [evil],
          joinUrl: evil,
          ownerAppointmentId: evil,
          sender: evil,
          attachments: [
            { kind: 'uri', uri: evil, name: evil, contentType: evil },
            { kind: 'bytes', bytes: Buffer.from(evil), name: evil, contentType: evil },
          ],
        },
      ],
    });
    const names = linesOf(text).map((line) => line.split(/[:;]/, 1)[0]);
    expect(names.filter((name) => name === 'ATTENDEE')).toHaveLength(1);
    expect(linesOf(text).filter((line) => /^(BEGIN|END):VEVENT/.test(line))).toEqual(['BEGIN:VEVENT', 'END:VEVENT']);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n\0\u2028]/);
  });
});

describe('another library', () => {
  it('reads the same meeting', () => {
    const text = writeCalendar(
      object({
        summary: 'Review, part 1; "draft" \\ more',
        description: 'one\ntwo, three',
        location: 'Room 5; Room 6',
        rules: ['FREQ=WEEKLY;COUNT=4'],
        exDates: [{ time: { wall: wall('2026-01-12T09:00:00'), zone: ZONE }, isDate: false }],
      }),
    );
    const [event] = Object.values(nodeIcal.sync.parseICS(text)).filter((one) => one?.type === 'VEVENT');
    if (event?.type !== 'VEVENT') throw new Error('no event');
    expect(event).toMatchObject({
      uid: 'one@a.example',
      summary: 'Review, part 1; "draft" \\ more',
      description: 'one\ntwo, three',
      location: 'Room 5; Room 6',
      method: 'REQUEST',
    });
    expect(event.start.toISOString()).toBe('2026-01-05T08:00:00.000Z');
    expect(event.end?.toISOString()).toBe('2026-01-05T09:00:00.000Z');
    expect(event.organizer).toMatchObject({ params: { CN: 'Ann' }, val: 'mailto:ann@a.example' });
    expect(event.attendee).toMatchObject({
      params: { CN: 'Bob', PARTSTAT: 'NEEDS-ACTION' },
      val: 'mailto:bob@b.example',
    });
    expect(Object.values(event.exdate ?? {}).map((date) => new Date(String(date)).toISOString())).toContain(
      '2026-01-12T08:00:00.000Z',
    );
  });

  it.each(['REQUEST', 'CANCEL', 'REPLY', 'COUNTER'])('accepts the grammar of %s', (method) => {
    const text = writeCalendar(
      object(
        {
          organizer: { address: 'ann@a.example', name: 'Ann "the" ^Boss^, CEO', sentBy: 's@s.example' },
          comment: 'Fine; yes',
          requestStatus: ['2.0;Success'],
        },
        method,
      ),
    );
    const calendar = new ICAL.Component(ICAL.parse(text));
    expect(calendar.getFirstPropertyValue('method')).toBe(method);
    const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? undefined);
    expect([event.uid, event.sequence, event.startDate.toString()]).toEqual([
      'one@a.example',
      1,
      '2026-01-05T09:00:00',
    ]);
    const organizer = calendar.getFirstSubcomponent('vevent')?.getFirstProperty('organizer');
    expect(organizer?.getFirstParameter('cn')).toBe('Ann "the" ^Boss^, CEO');
  });
});

describe('parsing and writing again', () => {
  it.each(senderNames)('is the same for %s', (sender) => {
    for (const changes of [
      { attendees: [BOB, CARLA, ROOM] },
      { start: '20260105', end: '20260107' },
      {
        rule: 'FREQ=WEEKLY;COUNT=10',
        exDates: ['20260119T090000'],
        overrides: [{ recurrenceId: '20260112T090000', start: '20260112T140000', end: '20260112T153000' }],
      },
      { method: 'CANCEL' as const, sequence: 4 },
    ]) {
      const read = readCalendar(SENDERS[sender].calendar(meeting(changes)), ZONE);
      if (isProblem(read)) throw new Error(read.reason);
      expect(readBack(writeCalendar(read))).toEqual(read);
    }
  });

  const word = fc.constantFrom('ACCEPTED', 'DECLINED', 'TENTATIVE', 'X-OTHER');
  /** Any text except control characters, which cannot be written, and blanks at the ends, which names lose. */
  const text = fc
    .string({ unit: 'grapheme', maxLength: 60 })
    .map((value) => value.replace(/[\p{Cc}\u2028\u2029]/gu, '').trim());
  const name = text.map((value) => value.replace(/^'(.*)'$/s, '$1').replace(/^'(.*)'$/s, '$1'));
  const multiline = fc.array(text, { maxLength: 4 }).map((lines) => lines.join('\n'));
  const address = fc
    .tuple(fc.stringMatching(/^[a-z0-9.+_%-]{1,20}$/), fc.stringMatching(/^[a-z0-9-]{1,20}$/))
    .map(([local, domain]) => `${local}@${domain}.example`);
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Sydney', 'Asia/Kolkata');
  const second = fc
    .integer({ min: wall('1990-01-01T00:00:00') / 1000, max: wall('2040-01-01T00:00:00') / 1000 })
    .map((value) => value * 1000);
  const time = fc.record({ wall: second, zone });
  const day = second.map((value) => Math.floor(value / 86_400_000) * 86_400_000);
  const date = fc.oneof(
    time.map((value) => ({ time: value, isDate: false })),
    day.map((value) => ({ time: { wall: value, zone: ZONE }, isDate: true })),
  );
  const attendee = fc.record(
    {
      address,
      name,
      role: fc.constantFrom('REQ-PARTICIPANT', 'OPT-PARTICIPANT', 'CHAIR'),
      partStat: word,
      cuType: fc.constantFrom('INDIVIDUAL', 'ROOM'),
      rsvp: fc.boolean(),
      delegatedTo: fc.array(address, { maxLength: 2 }),
      delegatedFrom: fc.array(address, { maxLength: 2 }),
      sentBy: address,
      comment: fc.string({ minLength: 1, maxLength: 20 }).map((value) => `x${value}x`),
    },
    { requiredKeys: ['address', 'name', 'role', 'partStat', 'cuType', 'delegatedTo', 'delegatedFrom'] },
  );
  const span = fc.oneof(
    fc.record({ start: time, minutes: fc.nat(10_000) }).map(({ start, minutes }) => {
      // The end is in the same zone and never before the start, even across a DST change.
      const end = { wall: start.wall + minutes * 60_000, zone: start.zone };
      const isForward = toInstant(end.zone, end.wall) >= toInstant(start.zone, start.wall);
      return { start, end: isForward ? end : start, isAllDay: false, isFloating: false };
    }),
    fc.record({ start: day, days: fc.integer({ min: 1, max: 30 }) }).map(({ start, days }) => ({
      start: { wall: start, zone: ZONE },
      end: { wall: start + days * 86_400_000, zone: ZONE },
      isAllDay: true,
      isFloating: true,
    })),
  );
  const component: fc.Arbitrary<CalendarComponent> = fc
    .record(
      {
        uid: fc.constant('one'),
        sequence: fc.nat(1000),
        stamp: second,
        criticalChange: second,
        created: second,
        lastModified: second,
        rules: fc.array(fc.constantFrom('FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=MO,TU;COUNT=3'), { maxLength: 2 }),
        exDates: fc.array(date, { maxLength: 3 }),
        dates: fc.array(date, { maxLength: 3 }),
        summary: text,
        description: multiline,
        htmlDescription: multiline,
        location: text.map((value) => value.replaceAll(';', '')),
        locations: fc.array(
          fc.record({ displayName: text.map((value) => `x${value}`), address: text.map((value) => `y${value}`) }),
          { maxLength: 3 },
        ),
        organizer: fc.record({ address, name }),
        attendees: fc.array(attendee, { maxLength: 4 }),
        status: word,
        classification: word,
        priority: fc.integer({ min: 0, max: 9 }),
        transparency: word,
        busyStatus: word,
        intendedStatus: word,
        importance: fc.integer({ min: 0, max: 2 }),
        disallowCounter: fc.boolean(),
        comment: multiline,
        categories: fc.array(
          text.filter((value) => value !== ''),
          { maxLength: 3 },
        ),
        joinUrl: fc.constant('https://meet.example/1'),
        requestStatus: fc.constant(['2.0;Success']),
        attachments: fc.array(
          fc.oneof(
            fc.record({
              kind: fc.constant('bytes' as const),
              bytes: fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
              name,
              contentType: fc.constantFrom('', 'image/png'),
            }),
            fc.record({
              kind: fc.constant('uri' as const),
              uri: fc.constant('https://a.example/a?b=c;d,e'),
              name,
              contentType: fc.constantFrom('', 'image/png'),
            }),
          ),
          { maxLength: 2 },
        ),
        originalStart: time,
        originalEnd: time,
        ownerAppointmentId: fc.constant('-17'),
        instanceType: fc.integer({ min: 0, max: 3 }),
        sender: address,
      },
      {
        requiredKeys: [
          'uid',
          'sequence',
          'rules',
          'exDates',
          'dates',
          'summary',
          'description',
          'htmlDescription',
          'location',
          'locations',
          'attendees',
          'status',
          'classification',
          'transparency',
          'disallowCounter',
          'comment',
          'categories',
          'requestStatus',
          'attachments',
        ],
      },
    )
    .chain((rest) => span.map((when) => ({ ...rest, ...when })));

  it('is the same for any event', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('REQUEST', 'CANCEL', 'REPLY', 'COUNTER'),
        component,
        fc.array(fc.record({ id: time, changed: component, thisAndFuture: fc.boolean() }), { maxLength: 2 }),
        (method, master, overrides) => {
          const instants = overrides.map(({ id }) => toInstant(id.zone, id.wall));
          fc.pre(new Set(instants).size === instants.length);
          const changed = overrides
            .map(({ id, changed: one, thisAndFuture }) => ({
              ...one,
              recurrenceId: { time: id, isDate: false, thisAndFuture },
            }))
            .sort(
              (a, b) =>
                toInstant(a.recurrenceId.time.zone, a.recurrenceId.time.wall) -
                toInstant(b.recurrenceId.time.zone, b.recurrenceId.time.wall),
            );
          const whole: CalendarObject = { method, productId: '-//A//B//EN', components: [master, ...changed] };
          expect(readBack(writeCalendar(whole))).toEqual(whole);
        },
      ),
    );
  });
});
