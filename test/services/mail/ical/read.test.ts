import { describe, expect, it } from 'vitest';
import { methodProblem } from '../../../../src/services/mail/ical/method.ts';
import { readCalendar } from '../../../../src/services/mail/ical/read.ts';
import type { CalendarComponent, CalendarObject } from '../../../../src/services/mail/ical/types.ts';
import { isProblem } from '../../../../src/services/mail/mime/problem.ts';
import type { ZonedTime } from '../../../../src/services/mail/zones/wall.ts';
import { toInstant } from '../../../../src/services/mail/zones/zone.ts';
import { exchangeCounter, exchangeReply, googleCounter, minimalReply } from '../fixtures/answers.ts';
import { exchangeCalendar, outlookCalendar } from '../fixtures/calendars.ts';
import { SENDERS, senderNames } from '../fixtures/mails.ts';
import { ANN, BOB, CARLA, ics, meeting, ROOM } from '../fixtures/meeting.ts';

const ZONE = 'America/New_York';

function read(source: string | Buffer, zone = ZONE): CalendarObject {
  const object = readCalendar(source, zone);
  if (isProblem(object)) throw new Error(`${object.code}: ${object.reason}`);
  return object;
}

const first = (object: CalendarObject): CalendarComponent => {
  const [component] = object.components;
  if (!component) throw new Error('no component');
  return component;
};

const utc = (time: ZonedTime | undefined): string | undefined =>
  time && new Date(toInstant(time.zone, time.wall)).toISOString().slice(0, 16);

/** An object with one event that contains these lines. */
const withLines = (...lines: string[]): CalendarComponent =>
  first(
    read(
      ['BEGIN:VCALENDAR', 'METHOD:REQUEST', 'BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT', 'END:VCALENDAR'].join(
        '\r\n',
      ),
    ),
  );

const problemOf = (source: string | Buffer): string => {
  const object = readCalendar(source, ZONE);
  return isProblem(object) ? object.code : 'no problem';
};

describe.each(senderNames)('a meeting from %s', (sender) => {
  const { calendar } = SENDERS[sender];

  it('has its time, text and people', () => {
    const event = first(read(calendar(meeting())));
    expect([utc(event.start), utc(event.end)]).toEqual(['2026-01-05T08:00', '2026-01-05T09:30']);
    expect(event).toMatchObject({
      uid: meeting().uid,
      sequence: 0,
      stamp: Date.UTC(2025, 11, 20, 8),
      isAllDay: false,
      isFloating: false,
    });
    expect(event.summary).toBe(meeting().summary);
    expect(event.organizer?.address).toBe(ANN.address);
    expect(event.attendees.find(({ address }) => address === BOB.address)).toMatchObject({
      partStat: 'NEEDS-ACTION',
      rsvp: true,
    });
  });

  it('on whole days is all day, on the same dates in every zone', () => {
    const event = first(read(calendar(meeting({ start: '20260105', end: '20260107' }))));
    expect(event).toMatchObject({
      isAllDay: true,
      start: { wall: Date.UTC(2026, 0, 5), zone: ZONE },
      end: { wall: Date.UTC(2026, 0, 7), zone: ZONE },
    });
  });

  it('that recurs has its rule, and its exceptions behind it in order', () => {
    const object = read(
      calendar(
        meeting({
          rule: 'FREQ=WEEKLY;COUNT=10;BYDAY=MO',
          overrides: [
            { recurrenceId: '20260126T090000', start: '20260127T090000', end: '20260127T103000', sequence: 2 },
            { recurrenceId: '20260112T090000', start: '20260112T140000', end: '20260112T153000', sequence: 1 },
          ],
        }),
      ),
    );
    expect(first(object).rules).toEqual(['FREQ=WEEKLY;COUNT=10;BYDAY=MO']);
    expect(object.components.map(({ recurrenceId, start }) => [utc(recurrenceId?.time), utc(start)])).toEqual([
      [undefined, '2026-01-05T08:00'],
      ['2026-01-12T08:00', '2026-01-12T13:00'],
      ['2026-01-26T08:00', '2026-01-27T08:00'],
    ]);
  });

  it('that is cancelled says so', () => {
    expect(read(calendar(meeting({ method: 'CANCEL', sequence: 3 })))).toMatchObject({
      method: 'CANCEL',
      components: [{ sequence: 3 }],
    });
  });

  it('can be read with every line break, and with the end cut off', () => {
    const text = calendar(meeting()).toString('latin1').replaceAll('\r\n', '\n');
    const whole = read(calendar(meeting()));
    for (const lineBreak of ['\n', '\r\n', '\r\r\n', '\r']) {
      expect(read(Buffer.from(text.replaceAll('\n', lineBreak), 'latin1'))).toEqual(whole);
    }
    expect(first(read(Buffer.from(text.replace(/END:VEVENT[\s\S]*$/, ''), 'latin1')))).toEqual(first(whole));
  });
});

describe('the people of an event', () => {
  it('have role, answer and kind', () => {
    const event = first(read(exchangeCalendar(meeting({ attendees: [BOB, CARLA, ROOM] }))));
    expect(event.attendees.map(({ name, role, partStat, cuType }) => [name, role, partStat, cuType])).toEqual([
      ['Bob Stone', 'REQ-PARTICIPANT', 'NEEDS-ACTION', 'INDIVIDUAL'],
      ['Rossi, Carla', 'OPT-PARTICIPANT', 'TENTATIVE', 'INDIVIDUAL'],
      ['Room 5', 'REQ-PARTICIPANT', 'ACCEPTED', 'ROOM'],
    ]);
    expect(event.organizer?.name).toBe('Ann Müller');
  });

  it.each([
    ['ATTENDEE:mailto:bob@b.example', { address: 'bob@b.example', name: '' }],
    ['ATTENDEE;CN=Meyer, Bob:MAILTO:bob@b.example', { address: 'bob@b.example', name: 'Meyer, Bob' }],
    ['ATTENDEE;CN=Bob: the builder:mailto:bob@b.example', { address: 'bob@b.example', name: 'Bob' }],
    ['ATTENDEE;CN="Bob:mailto:bob@b.example', { address: 'bob@b.example', name: '"Bob' }],
    ['ATTENDEE;CN="\'Bob\'":mailto:bob@b.example', { address: 'bob@b.example', name: 'Bob' }],
    ['ATTENDEE;CN="^\'Bob^\' ^^ Co^nLine":mailto:bob@b.example', { address: 'bob@b.example', name: '"Bob" ^ Co Line' }],
    ['ATTENDEE;EMAIL=bob@b.example:urn:uuid:1234', { address: 'bob@b.example' }],
    ['ATTENDEE;CN=Bob:bob@b.example', { address: 'bob@b.example', name: 'Bob' }],
    ['ATTENDEE;CN=Bob:invalid:nomail', { address: '', name: 'Bob' }],
    ['ATTENDEE;RSVP=FALSE:mailto:bob@b.example', { rsvp: false }],
    ['item1.ATTENDEE;rsvp=yes;partstat=accepted:mailto:bob@b.example', { rsvp: true, partStat: 'ACCEPTED' }],
    [
      'ATTENDEE;PARTSTAT=DELEGATED;DELEGATED-TO="mailto:c@c.example","mailto:d@d.example":mailto:bob@b.example',
      { partStat: 'DELEGATED', delegatedTo: ['c@c.example', 'd@d.example'] },
    ],
    [
      'ATTENDEE;DELEGATED-FROM="mailto:a@a.example";SENT-BY="mailto:s@s.example":mailto:bob@b.example',
      { delegatedFrom: ['a@a.example'], sentBy: 's@s.example' },
    ],
  ])('are read from %s', (line, expected) => {
    expect(withLines(line).attendees[0]).toMatchObject(expected);
  });

  it('include the sender who acts for the organizer', () => {
    const event = withLines(
      'ORGANIZER;SENT-BY="mailto:s@s.example":mailto:ann@a.example',
      'X-MS-OLK-SENDER;CN=S:mailto:s@s.example',
    );
    expect(event).toMatchObject({
      organizer: { address: 'ann@a.example', sentBy: 's@s.example' },
      sender: 's@s.example',
    });
  });
});

describe('the time of an event', () => {
  it.each([
    [
      'a time without zone is local to the mailbox',
      ['DTSTART:20260105T090000'],
      '2026-01-05T14:00',
      '2026-01-05T14:00',
      true,
    ],
    ['UTC', ['DTSTART:20260105T090000Z', 'DTEND:20260105T100000Z'], '2026-01-05T09:00', '2026-01-05T10:00', false],
    [
      'an unknown zone counts as none',
      ['DTSTART;TZID=Moon/Base:20260105T090000'],
      '2026-01-05T14:00',
      '2026-01-05T14:00',
      true,
    ],
    [
      'a Windows name',
      ['DTSTART;TZID=W. Europe Standard Time:20260105T090000', 'DURATION:PT45M'],
      '2026-01-05T08:00',
      '2026-01-05T08:45',
      false,
    ],
    [
      'a name with a colon and without quotes',
      ['DTSTART;TZID=(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna:20260105T090000'],
      '2026-01-05T08:00',
      '2026-01-05T08:00',
      false,
    ],
    [
      'a prefixed name',
      ['DTSTART;TZID=/citadel.org/20210210_1/Europe/Berlin:20260105T090000'],
      '2026-01-05T08:00',
      '2026-01-05T08:00',
      false,
    ],
    [
      'tzone://Microsoft/Utc',
      ['DTSTART;TZID=tzone://Microsoft/Utc:20260105T090000'],
      '2026-01-05T09:00',
      '2026-01-05T09:00',
      false,
    ],
    [
      'end before start',
      ['DTSTART:20260105T090000Z', 'DTEND:20260105T080000Z'],
      '2026-01-05T09:00',
      '2026-01-05T09:00',
      false,
    ],
    [
      'end in another zone',
      ['DTSTART:20260105T090000Z', 'DTEND;TZID=Asia/Tokyo:20260105T190000'],
      '2026-01-05T09:00',
      '2026-01-05T10:00',
      false,
    ],
    [
      'a date as end',
      ['DTSTART;TZID=Europe/Berlin:20260105T090000', 'DTEND;VALUE=DATE:20260106'],
      '2026-01-05T08:00',
      '2026-01-05T23:00',
      false,
    ],
    [
      'hours over a change of the clock are exact',
      ['DTSTART;TZID=Europe/Berlin:20260328T230000', 'DURATION:PT8H'],
      '2026-03-28T22:00',
      '2026-03-29T06:00',
      false,
    ],
    [
      'days over a change of the clock keep the time of day',
      ['DTSTART;TZID=Europe/Berlin:20260328T090000', 'DURATION:P1D'],
      '2026-03-28T08:00',
      '2026-03-29T07:00',
      false,
    ],
    ['the extended form', ['DTSTART:2026-01-05T09:00:00Z'], '2026-01-05T09:00', '2026-01-05T09:00', false],
    ['no seconds', ['DTSTART:20260105T0900Z'], '2026-01-05T09:00', '2026-01-05T09:00', false],
  ])('%s', (_, lines, start, end, isFloating) => {
    const event = withLines(...lines);
    expect([utc(event.start), utc(event.end), event.isFloating, event.isAllDay]).toEqual([
      start,
      end,
      isFloating,
      false,
    ]);
  });

  it.each([
    ['no end', ['DTSTART;VALUE=DATE:20260105'], 6],
    ['an end on the same day', ['DTSTART;VALUE=DATE:20260105', 'DTEND;VALUE=DATE:20260105'], 6],
    ['a duration', ['DTSTART;VALUE=DATE:20260105', 'DURATION:P1W'], 12],
    ['no VALUE', ['DTSTART:20260105', 'DTEND:20260107'], 7],
  ])('of a day with %s', (_, lines, lastDay) => {
    expect(withLines(...lines)).toMatchObject({ isAllDay: true, end: { wall: Date.UTC(2026, 0, lastDay) } });
  });

  it('is all-day if Outlook says so and the times are midnights in either zone', () => {
    const lines = ['X-MICROSOFT-CDO-ALLDAYEVENT:TRUE', 'DTEND:20260106T050000Z', 'DTSTART:20260105T050000Z'];
    expect(withLines(...lines)).toMatchObject({ isAllDay: true, start: { wall: Date.UTC(2026, 0, 5), zone: ZONE } });
    expect(withLines(...lines.slice(0, 2), 'DTSTART:20260105T051500Z').isAllDay).toBe(false);
    expect(first(read(outlookCalendar(meeting({ start: '20260105', end: '20260106' })))).isAllDay).toBe(true);
  });

  it.each([
    'DTSTART:20260231T090000Z',
    'DTSTART:20261301',
    'DTSTART:00000101',
    'DTSTART:tomorrow',
    'DTSTART:20260105T250000Z',
    'DTSTART:',
  ])('is missing for %s', (line) => {
    const event = withLines(line);
    expect([event.start, event.end]).toEqual([undefined, undefined]);
  });

  it('follows a VTIMEZONE whose name says nothing', () => {
    const text = exchangeCalendar(meeting()).toString().replaceAll('W. Europe Standard Time', 'Customized Time Zone 1');
    expect(utc(first(read(text)).start)).toBe('2026-01-05T08:00');
  });

  it('uses X-LIC-LOCATION and X-WR-TIMEZONE to name a zone', () => {
    const object = (head: string, ...zone: string[]) =>
      first(
        read(
          [
            'BEGIN:VCALENDAR',
            head,
            ...zone,
            'BEGIN:VEVENT',
            'UID:1',
            'DTSTART;TZID=Mine:20260105T090000',
            'END:VEVENT',
          ].join('\n'),
        ),
      );
    expect(
      object('X-A:b', 'BEGIN:VTIMEZONE', 'TZID:Mine', 'X-LIC-LOCATION:Asia/Tokyo', 'END:VTIMEZONE').start?.zone,
    ).toBe('Asia/Tokyo');
    expect(object('X-WR-TIMEZONE:Asia/Tokyo').start?.zone).toBe('Asia/Tokyo');
  });

  it('is local to the mailbox in the 51st zone of an object', () => {
    const names = Intl.supportedValuesOf('timeZone').slice(0, 51);
    const { exDates } = withLines(...names.map((name) => `EXDATE;TZID=${name}:20260105T090000`));
    expect(exDates.slice(0, 50).some(({ time }) => time.zone === ZONE)).toBe(false);
    expect(exDates[50]?.time.zone).toBe(ZONE);
  });

  it('has exceptions and additions', () => {
    const event = withLines(
      'DTSTART;TZID=Europe/Berlin:20260105T090000',
      'RRULE:FREQ=DAILY',
      'EXDATE;TZID=Europe/Berlin:20260106T090000,20260107T090000',
      'EXDATE:20260108T080000Z',
      'EXDATE;VALUE=DATE:20260109',
      'RDATE;VALUE=PERIOD:20260201T080000Z/PT1H,nonsense,20260202T080000Z/20260202T090000Z',
    );
    expect(event.exDates.map(({ time, isDate }) => [utc(time), isDate])).toEqual([
      ['2026-01-06T08:00', false],
      ['2026-01-07T08:00', false],
      ['2026-01-08T08:00', false],
      ['2026-01-09T05:00', true],
    ]);
    expect(event.dates.map(({ time }) => utc(time))).toEqual(['2026-02-01T08:00', '2026-02-02T08:00']);
  });

  it('of one occurrence can apply to all that follow', () => {
    const event = withLines('RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20260105');
    expect(event.recurrenceId).toMatchObject({
      isDate: true,
      thisAndFuture: true,
      time: { wall: Date.UTC(2026, 0, 5) },
    });
  });
});

describe('the properties of an event', () => {
  it.each([
    [['SUMMARY:a\\, b\\; c\\\\ d\\Ne\\x'], { summary: 'a, b; c\\ d e\\x' }],
    [['DESCRIPTION:one\\ntwo\\Nthree'], { description: 'one\ntwo\nthree' }],
    [
      ['DESCRIPTION:one', 'not a property at all', '', 'SUMMARY:x'],
      { description: 'one\nnot a property at all', summary: 'x' },
    ],
    [['X-ALT-DESC;FMTTYPE=text/html:<b>a\\, b</b>'], { htmlDescription: '<b>a, b</b>' }],
    [['X-ALT-DESC;FMTTYPE=text/rtf:x'], { htmlDescription: '' }],
    [['DESCRIPTION;ALTREP="data:text/html;base64,PGI+":x'], { htmlDescription: '<b>' }],
    [['DESCRIPTION;ALTREP="cid:part@a":x'], { htmlDescription: '', description: 'x' }],
    [
      ['LOCATION:A\\; B;C'],
      { location: 'A; B;C', locations: [{ displayName: 'A' }, { displayName: 'B' }, { displayName: 'C' }] },
    ],
    [['LOCATION:A'], { locations: [] }],
    [
      [
        'X-MICROSOFT-LOCATIONS:[{"DisplayName":"A"\\,"LocationFullAddress":"1 Road"\\,"Latitude":"1.5"\\,"Longitude":"2"}\\,{}\\,3]',
      ],
      { locations: [{ displayName: 'A', address: '1 Road', latitude: 1.5, longitude: 2 }] },
    ],
    [['X-MICROSOFT-LOCATIONS:[{', 'LOCATION:A'], { location: 'A', locations: [] }],
    [
      ['CLASS:private', 'STATUS:tentative', 'TRANSP:TRANSPARENT', 'PRIORITY:1'],
      { classification: 'PRIVATE', status: 'TENTATIVE', transparency: 'TRANSPARENT', priority: 1 },
    ],
    [['SEQUENCE:2', 'X-MICROSOFT-CDO-APPT-SEQUENCE:5'], { sequence: 2 }],
    [['X-MICROSOFT-CDO-APPT-SEQUENCE:5'], { sequence: 5 }],
    [['SEQUENCE:-1'], { sequence: 0 }],
    [['SEQUENCE:1', 'SEQUENCE:2'], { sequence: 1 }],
    [
      ['X-MICROSOFT-CDO-BUSYSTATUS:free', 'X-MICROSOFT-CDO-INTENDEDSTATUS:WORKINGELSEWHERE'],
      { busyStatus: 'FREE', intendedStatus: 'WORKINGELSEWHERE' },
    ],
    [
      ['X-MICROSOFT-CDO-IMPORTANCE:2', 'X-MICROSOFT-DISALLOW-COUNTER:TRUE', 'X-MICROSOFT-CDO-INSTTYPE:3'],
      { importance: 2, disallowCounter: true, instanceType: 3 },
    ],
    [['X-MICROSOFT-CDO-OWNERAPPTID:-12'], { ownerAppointmentId: '-12' }],
    [['X-MICROSOFT-CDO-OWNER-CRITICAL-CHANGE:20260101T000000Z'], { criticalChange: Date.UTC(2026, 0, 1) }],
    [
      ['DTSTAMP:20260101T000000Z', 'CREATED:20250101T000000Z', 'LAST-MODIFIED:20250201T000000Z'],
      { stamp: Date.UTC(2026, 0, 1), created: Date.UTC(2025, 0, 1), lastModified: Date.UTC(2025, 1, 1) },
    ],
    [
      ['URL:https://a.example/page', 'CONFERENCE;VALUE=URI;FEATURE=VIDEO:https://meet.example/1'],
      { joinUrl: 'https://meet.example/1' },
    ],
    [
      ['X-MICROSOFT-SKYPETEAMSMEETINGURL:https://teams.example/1', 'X-GOOGLE-CONFERENCE:https://meet.example/1'],
      { joinUrl: 'https://teams.example/1' },
    ],
    [['URL:javascript:alert(1)', 'CONFERENCE:tel:+49'], { joinUrl: undefined }],
    [['COMMENT:one', 'COMMENT:two'], { comment: 'one\ntwo' }],
    [['CATEGORIES:Red\\, dark,Blue', 'CATEGORIES:Green'], { categories: ['Red, dark', 'Blue', 'Green'] }],
    [['REQUEST-STATUS:2.0;Success'], { requestStatus: ['2.0;Success'] }],
    [
      ['ATTACH;FMTTYPE=application/pdf;FILENAME=a.pdf:https://a.example/a.pdf'],
      { attachments: [{ kind: 'uri', uri: 'https://a.example/a.pdf', name: 'a.pdf', contentType: 'application/pdf' }] },
    ],
    [
      ['ATTACH;ENCODING=BASE64;VALUE=BINARY:AAEC'],
      { attachments: [{ kind: 'bytes', bytes: Buffer.from([0, 1, 2]), name: '', contentType: '' }] },
    ],
    [
      ['BEGIN:VALARM', 'DESCRIPTION:alarm', 'SUMMARY:alarm', 'END:VALARM', 'SUMMARY:event'],
      { summary: 'event', description: '' },
    ],
  ])('%j', (lines, expected) => {
    expect({ joinUrl: undefined, ...withLines(...lines) }).toMatchObject(expected);
  });
});

describe('answers', () => {
  const answer = { by: BOB, stamp: '20251221T100000Z' };

  it('have the attendee, the answer, its time and the answered sequence', () => {
    for (const reply of [exchangeReply, minimalReply]) {
      const object = read(
        reply(meeting({ sequence: 2 }), {
          ...answer,
          answer: 'TENTATIVE',
          comment: 'Maybe',
          recurrenceId: '20260112T090000',
        }),
      );
      expect(object.method).toBe('REPLY');
      expect(first(object)).toMatchObject({
        sequence: 2,
        stamp: Date.UTC(2025, 11, 21, 10),
        attendees: [{ address: BOB.address, partStat: 'TENTATIVE' }],
      });
      expect([first(object).comment.trim(), utc(first(object).recurrenceId?.time)]).toEqual([
        'Maybe',
        '2026-01-12T08:00',
      ]);
      expect(methodProblem(object)).toBeUndefined();
    }
  });

  it('of Exchange carry the critical change of the attendee', () => {
    expect(first(read(exchangeReply(meeting(), { ...answer, answer: 'ACCEPTED' }))).criticalChange).toBe(
      Date.UTC(2025, 11, 21, 10),
    );
  });

  it('that counter carry the proposed and, from Exchange, the original time', () => {
    const proposal = {
      ...answer,
      answer: 'DECLINED' as const,
      start: '20260105T140000',
      end: '20260105T150000',
      comment: 'Later?',
    };
    const exchange = first(read(exchangeCounter(meeting(), proposal)));
    expect([utc(exchange.start), utc(exchange.originalStart), utc(exchange.originalEnd)]).toEqual([
      '2026-01-05T13:00',
      '2026-01-05T08:00',
      '2026-01-05T09:30',
    ]);
    expect(exchange.attendees[0]?.partStat).toBe('DECLINED');
    const google = first(read(googleCounter(meeting(), proposal)));
    expect([utc(google.start), google.originalStart, google.attendees[0]?.comment]).toEqual([
      '2026-01-05T13:00',
      undefined,
      'Later?',
    ]);
  });
});

describe('the requirements of a method', () => {
  const object = (method: string, ...lines: string[]) =>
    read(
      ['BEGIN:VCALENDAR', `METHOD:${method}`, 'BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT', 'END:VCALENDAR'].join(
        '\n',
      ),
    );

  it.each([
    ['REQUEST', ['DTSTART:20260105T090000Z', 'ORGANIZER:mailto:a@a.example'], undefined],
    ['request', ['DTSTART:20260105T090000Z', 'ORGANIZER:mailto:a@a.example'], undefined],
    ['REQUEST', ['ORGANIZER:mailto:a@a.example'], 'missingProperty'],
    ['REQUEST', ['DTSTART:20260105T090000Z'], 'missingProperty'],
    ['COUNTER', ['ORGANIZER:mailto:a@a.example'], 'missingProperty'],
    ['CANCEL', ['ORGANIZER:mailto:a@a.example'], undefined],
    ['CANCEL', [], 'missingProperty'],
    ['REPLY', ['ATTENDEE:mailto:b@b.example'], undefined],
    ['REPLY', [], 'missingProperty'],
    ['REPLY', ['ATTENDEE:mailto:b@b.example', 'ATTENDEE:mailto:c@c.example'], 'missingProperty'],
    ['PUBLISH', [], undefined],
    ['', [], 'noMethod'],
  ])('%s with %j', (method, lines, code) => {
    expect(methodProblem(object(method, ...lines))?.code).toBe(code);
  });
});

describe('a text that is no meeting', () => {
  const event = (uid: string) => ['BEGIN:VEVENT', `UID:${uid}`, 'END:VEVENT'];
  const calendar = (...lines: string[]) => ['BEGIN:VCALENDAR', 'METHOD:REQUEST', ...lines, 'END:VCALENDAR'];
  const many = (count: number, line: (index: number) => string): string[] =>
    Array.from({ length: count }, (_, index) => line(index));

  it.each<[string, string[], string]>([
    ['nothing', [''], 'empty'],
    ['prose', ['Hello Bob'], 'notACalendar'],
    ['no event', calendar('BEGIN:VTODO', 'UID:1', 'END:VTODO'), 'noEvent'],
    ['no UID', calendar('BEGIN:VEVENT', 'END:VEVENT'), 'noUid'],
    ['two UIDs', calendar(...event('1'), ...event('2')), 'severalUids'],
    ['two calendars of one UID', [...calendar(...event('1')), ...calendar(...event('1'))], 'no problem'],
    [
      'two calendars of different methods',
      [...calendar(...event('1')), 'BEGIN:VCALENDAR', 'METHOD:CANCEL', ...event('1')],
      'severalMethods',
    ],
    ['a UID of 1,001 characters', calendar(...event('x'.repeat(1_001))), 'invalidProperty'],
    ['more than 1 MB', [...calendar(...event('1')), 'x'.repeat(1024 * 1024)], 'tooLarge'],
    ['100,001 lines', [...calendar(...event('1')), ...many(100_001, () => 'X:y')], 'tooManyLines'],
    ['1,001 components', calendar(...event('1'), ...many(1_001, () => 'BEGIN:VALARM')), 'tooManyComponents'],
    [
      '2,001 attendees',
      calendar('BEGIN:VEVENT', 'UID:1', ...many(2_001, (index) => `ATTENDEE:mailto:a${index}@a.example`)),
      'tooManyAttendees',
    ],
    [
      '2,000 attendees',
      calendar('BEGIN:VEVENT', 'UID:1', ...many(2_000, (index) => `ATTENDEE:mailto:a${index}@a.example`)),
      'no problem',
    ],
    [
      '10,001 EXDATE values',
      calendar('BEGIN:VEVENT', 'UID:1', `EXDATE:${many(10_001, () => '20260105T090000Z').join(',')}`),
      'tooManyDates',
    ],
    [
      '10,000 EXDATE and a RDATE value',
      calendar(
        'BEGIN:VEVENT',
        'UID:1',
        `EXDATE:${many(10_000, () => '20260105T090000Z').join(',')}`,
        'RDATE:20260105T090000Z',
      ),
      'tooManyDates',
    ],
    [
      '10,000 EXDATE values',
      calendar('BEGIN:VEVENT', 'UID:1', `EXDATE:${many(10_000, () => '20260105T090000Z').join(',')}`),
      'no problem',
    ],
  ])('%s', (_, lines, code) => {
    expect(problemOf(lines.join('\n'))).toBe(code);
  });

  it.each([
    [
      'quotes in a TZID',
      `BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:${'"'.repeat(500_000)}x\nEND:VTIMEZONE\nBEGIN:VEVENT\nUID:1`,
    ],
    ['at signs', `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nORGANIZER:${'@'.repeat(900_000)} `],
    ['parameters', `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nORGANIZER${';A="b'.repeat(150_000)}:x`],
    ['parameter values', `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nORGANIZER;A=${'"b",'.repeat(200_000)}:x`],
    ['lines without a name', `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDESCRIPTION:x\n${'!\n'.repeat(90_000)}`],
    ['folds', `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDESCRIPTION:x${'\n x'.repeat(300_000)}`],
    ['backslashes', `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nCATEGORIES:${'\\'.repeat(900_000)}`],
    ['blanks', `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:${' '.repeat(900_000)}x`],
    ['semicolons in LOCATION', `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nLOCATION:${';a'.repeat(400_000)}`],
    ['brackets in LOCATIONS', `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nX-MICROSOFT-LOCATIONS:${'['.repeat(900_000)}`],
    [
      'zones',
      `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n${Array.from({ length: 9_000 }, (_, index) => `EXDATE;TZID=Zone ${index}:20260105T090000`).join('\n')}`,
    ],
    [
      'observances',
      `BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Mine\n${'BEGIN:STANDARD\nDTSTART:16010101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nRRULE:FREQ=SECONDLY\nEND:STANDARD\n'.repeat(900)}END:VTIMEZONE\nBEGIN:VEVENT\nUID:1\nDTSTART;TZID=Mine:20260105T090000`,
    ],
  ])('of a megabyte of %s ends', (_, text) => {
    expect(problemOf(text)).toBe('no problem');
  });
});

describe('the bytes of a calendar', () => {
  it('are unfolded before they are decoded, since a fold may split a character', () => {
    const summary = 'ü'.repeat(200);
    const folded = ics([
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'UID:1',
      `SUMMARY:${summary}`,
      'END:VEVENT',
      'END:VCALENDAR',
    ]);
    expect(folded.toString()).toContain('\ufffd');
    expect(first(read(folded)).summary).toBe(summary);
  });

  it('can be of any charset, with or without a byte order mark', () => {
    const text = 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:caf\r\n é\r\nEND:VEVENT\r\n';
    const summary = (bytes: Buffer, charset?: string) => {
      const object = readCalendar(bytes, ZONE, charset);
      return isProblem(object) ? object.code : first(object).summary;
    };
    expect(summary(Buffer.from(text, 'latin1'), 'iso-8859-1')).toBe('café');
    expect(summary(Buffer.from(text, 'latin1'))).toBe('café');
    expect(summary(Buffer.from(`\ufeff${text}`))).toBe('café');
    expect(summary(Buffer.from(text, 'utf16le'), 'utf-16le')).toBe('café');
    expect(summary(Buffer.from(text), 'nonsense')).toBe('cafÃ©');
  });
});
