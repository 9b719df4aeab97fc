import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../../../support/jars.ts';
import { ADA, CLOCK_START, type MeetingMail, mail, type Post, type Properties, postOf, startsOf } from './arrivals.ts';

/**
 * The worked examples of RFC 5546, sections 4.2 (group events) and 4.4 (recurring events): the mailbox of the jar is one of the persons that the
 * examples call A to E, and the table says what its calendar holds afterwards.
 */

const person = (letter: string): string => `mailto:${letter}@example.com`;
const GUESTS = ['b', 'c', 'd'];

const CONFERENCE: Properties = {
  UID: 'conference-873970198738777@example.com',
  DTSTAMP: '19970611T190000Z',
  DTSTART: '19970701T200000Z',
  DTEND: '19970701T210000Z',
  SUMMARY: 'Conference',
  SEQUENCE: '0',
  STATUS: 'CONFIRMED',
  ORGANIZER: person('a'),
  ATTENDEE: [
    `;ROLE=CHAIR;PARTSTAT=ACCEPTED;CN=A:${person('a')}`,
    `;RSVP=TRUE;CUTYPE=INDIVIDUAL;CN=B:mailto:${ADA}`,
    `;RSVP=TRUE;CUTYPE=INDIVIDUAL;CN=C:${person('c')}`,
    `;RSVP=TRUE;CUTYPE=INDIVIDUAL;CN=Hal:${person('d')}`,
    ';RSVP=FALSE;CUTYPE=ROOM:mailto:conf_big@example.com',
    `;ROLE=NON-PARTICIPANT;RSVP=FALSE:${person('e')}`,
  ],
};

const CALL: Properties = {
  UID: 'guid-1@example.com',
  SEQUENCE: '0',
  DTSTAMP: '19970526T083000Z',
  RRULE: 'FREQ=MONTHLY;BYMONTHDAY=1;UNTIL=19980901T210000Z',
  DTSTART: '19970601T210000Z',
  DTEND: '19970601T220000Z',
  ORGANIZER: person('a'),
  ATTENDEE: [`;ROLE=CHAIR;PARTSTAT=ACCEPTED:${person('a')}`, `mailto:${ADA}`, person('c'), person('d')],
  DESCRIPTION: 'Conference call of the working group',
  CLASS: 'PUBLIC',
  SUMMARY: 'Working Group Meeting',
  LOCATION: 'Conference Call',
  STATUS: 'CONFIRMED',
};

/** The first of every month from June 1997 to September 1998, at nine in the evening. */
const FIRSTS = Array.from({ length: 16 }, (_, month) =>
  new Date(Date.UTC(1997, 5 + month, 1, 21)).toISOString().slice(0, 16),
);

const instance = (changes: Properties): Properties => ({ ...CALL, RRULE: undefined, ...changes });
const JULY = {
  'RECURRENCE-ID': '19970701T210000Z',
  SEQUENCE: '1',
  DTSTAMP: '19970626T093000Z',
  DTSTART: '19970703T210000Z',
  DTEND: '19970703T220000Z',
};
const AUGUST = {
  'RECURRENCE-ID': '19970801T210000Z',
  SEQUENCE: '2',
  DTSTAMP: '19970721T093000Z',
  STATUS: 'CANCELLED',
};

const SAN_JOSE = [
  'BEGIN:VTIMEZONE',
  'TZID:America-SanJose',
  'TZURL:http://example.com/tz/America-SanJose',
  'BEGIN:STANDARD',
  'DTSTART:19671029T020000',
  'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
  'TZOFFSETFROM:-0700',
  'TZOFFSETTO:-0800',
  'TZNAME:PST',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:19870405T020000',
  'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=4',
  'TZOFFSETFROM:-0800',
  'TZOFFSETTO:-0700',
  'TZNAME:PDT',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
];
const PHONE: Properties = {
  ...CONFERENCE,
  UID: 'phone-873970198738777@example.com',
  DTSTAMP: '19970613T190030Z',
  DTSTART: ';TZID=America-SanJose:19970701T140000',
  DTEND: ';TZID=America-SanJose:19970701T150000',
  RRULE: 'FREQ=WEEKLY;COUNT=20;WKST=SU;BYDAY=TU',
  RDATE: ';TZID=America-SanJose:19970910T140000',
  EXDATE: [';TZID=America-SanJose:19970909T140000', ';TZID=America-SanJose:19971028T140000'],
  SUMMARY: 'Weekly Phone Conference',
};
/** Two in the afternoon in San Jose: at nine in the evening of UTC until 26 October, and at ten from then on. */
const PHONES = [
  ...['07-01', '07-08', '07-15', '07-22', '07-29', '08-05', '08-12', '08-19', '08-26', '09-02'],
  ...['09-10', '09-16', '09-23', '09-30', '10-07', '10-14', '10-21', '11-04', '11-11'],
].map((day) => `1997-${day}T${day >= '10-26' ? '22' : '21'}:00`);

const REQUESTED = { meetingMessageType: 'meetingRequest', isOutOfDate: false };
const time = (dateTime: string) => ({ dateTime: `${dateTime}:00.0000000`, timeZone: 'UTC' });

interface Invited {
  readonly section: string;
  readonly mails: readonly MeetingMail[];
  readonly messages: readonly object[];
  readonly starts: readonly string[];
  readonly cancelled?: readonly string[];
  readonly events?: readonly object[];
}

const INVITED: readonly Invited[] = [
  {
    section: '4.2.1: a group event request',
    mails: [mail('REQUEST', CONFERENCE)],
    messages: [{ ...REQUESTED, meetingRequestType: 'newMeetingRequest', responseRequested: true }],
    starts: ['1997-07-01T20:00'],
    events: [
      {
        subject: 'Conference',
        organizer: { emailAddress: { address: 'a@example.com' } },
        responseStatus: { response: 'notResponded' },
        attendees: [
          { type: 'required', emailAddress: { name: 'A', address: 'a@example.com' } },
          { type: 'required', emailAddress: { name: 'B', address: ADA } },
          { type: 'required', emailAddress: { name: 'C' } },
          { type: 'required', emailAddress: { name: 'Hal' } },
          { type: 'resource', emailAddress: { address: 'conf_big@example.com' } },
          { type: 'optional', emailAddress: { address: 'e@example.com' } },
        ],
      },
    ],
  },
  {
    section: '4.2.3: an update of an event: it is half an hour long, and earlier',
    mails: [
      mail('REQUEST', CONFERENCE),
      mail('REQUEST', {
        ...CONFERENCE,
        DTSTAMP: '19970613T190000Z',
        DTSTART: '19970701T180000Z',
        DTEND: '19970701T190000Z',
        SEQUENCE: '1',
      }),
    ],
    messages: [
      { isOutOfDate: true, meetingRequestType: 'outdated' },
      { ...REQUESTED, meetingRequestType: 'fullUpdate', previousStartDateTime: time('1997-07-01T20:00') },
    ],
    starts: ['1997-07-01T18:00'],
  },
  {
    section: '4.2.4: the organizer declines a counter proposal of the mailbox',
    mails: [
      mail('REQUEST', CONFERENCE),
      mail('DECLINECOUNTER', {
        UID: CONFERENCE.UID,
        SEQUENCE: '0',
        DTSTAMP: '19970614T190000Z',
        ORGANIZER: person('a'),
        ATTENDEE: `mailto:${ADA}`,
        COMMENT: 'Sorry, I cannot change this meeting time',
      }),
    ],
    messages: [{ ...REQUESTED, meetingRequestType: 'newMeetingRequest' }, { subject: 'Review' }],
    starts: ['1997-07-01T20:00'],
  },
  {
    section: '4.2.5: C delegates the event to the mailbox',
    mails: [
      {
        ...mail('REQUEST', {
          ...CONFERENCE,
          DTSTAMP: '19970611T190000Z',
          ATTENDEE: [
            `;PARTSTAT=DELEGATED;DELEGATED-TO="mailto:${ADA}":${person('c')}`,
            `;RSVP=TRUE;DELEGATED-FROM="${person('c')}":mailto:${ADA}`,
          ],
        }),
        from: 'c@example.com',
      },
    ],
    messages: [{ ...REQUESTED, isDelegated: true, from: { emailAddress: { address: 'c@example.com' } } }],
    starts: ['1997-07-01T20:00'],
    events: [{ organizer: { emailAddress: { address: 'a@example.com' } } }],
  },
  {
    section: '4.2.6: the delegate tells the mailbox, which has delegated, that they accept',
    mails: [
      mail('REQUEST', CONFERENCE),
      {
        ...mail('REPLY', {
          UID: CONFERENCE.UID,
          SEQUENCE: '0',
          DTSTAMP: '19970614T190000Z',
          ORGANIZER: person('a'),
          ATTENDEE: `;PARTSTAT=ACCEPTED;DELEGATED-FROM="mailto:${ADA}":${person('e')}`,
          'REQUEST-STATUS': '2.0;Success',
        }),
        from: 'e@example.com',
      },
    ],
    messages: [REQUESTED, { meetingMessageType: 'meetingAccepted' }],
    starts: ['1997-07-01T20:00'],
    events: [{ isOrganizer: false, responseStatus: { response: 'notResponded' } }],
  },
  {
    section: '4.2.8: B forwards the request to the mailbox, which is not invited',
    mails: [
      {
        ...mail('REQUEST', {
          ...CONFERENCE,
          ATTENDEE: [
            `;ROLE=CHAIR;PARTSTAT=ACCEPTED:${person('a')}`,
            ...GUESTS.map((each) => `;RSVP=TRUE:${person(each)}`),
          ],
        }),
        from: 'b@example.com',
      },
    ],
    messages: [{ ...REQUESTED, from: { emailAddress: { address: 'b@example.com' } } }],
    starts: ['1997-07-01T20:00'],
    events: [{ organizer: { emailAddress: { address: 'a@example.com' } } }],
  },
  {
    section: '4.2.9: the group event is cancelled',
    mails: [
      mail('REQUEST', CONFERENCE),
      mail('CANCEL', {
        UID: CONFERENCE.UID,
        SEQUENCE: '1',
        DTSTAMP: '19970613T190000Z',
        STATUS: 'CANCELLED',
        COMMENT: 'Mr. B cannot attend',
        ORGANIZER: person('a'),
        ATTENDEE: [`mailto:${ADA}`, person('c'), person('d')],
      }),
    ],
    messages: [
      { isOutOfDate: true },
      { meetingMessageType: 'meetingCancelled', startDateTime: time('1997-07-01T20:00') },
    ],
    starts: [],
    cancelled: ['1997-07-01T20:00'],
    events: [{ subject: 'Canceled: Conference', isCancelled: true }],
  },
  {
    section: '4.2.10: the mailbox is removed from the attendees',
    mails: [
      mail('REQUEST', CONFERENCE),
      mail('CANCEL', {
        UID: CONFERENCE.UID,
        SEQUENCE: '1',
        DTSTAMP: '19970613T190000Z',
        ORGANIZER: person('a'),
        ATTENDEE: `mailto:${ADA}`,
      }),
    ],
    messages: [{ isOutOfDate: true }, { meetingMessageType: 'meetingCancelled' }],
    starts: [],
    cancelled: ['1997-07-01T20:00'],
  },
  {
    section: '4.2.10: B is removed from the attendees, and the mailbox gets the list without B',
    mails: [
      mail('REQUEST', { ...CONFERENCE, ATTENDEE: [`mailto:${ADA}`, person('b')] }),
      mail('REQUEST', { ...CONFERENCE, DTSTAMP: '19970613T190000Z', ATTENDEE: `mailto:${ADA}` }),
    ],
    messages: [{ isOutOfDate: true }, { ...REQUESTED, meetingRequestType: 'silentUpdate' }],
    starts: ['1997-07-01T20:00'],
  },
  {
    section: '4.2.11: the organizer is replaced',
    mails: [
      mail('REQUEST', CONFERENCE),
      {
        ...mail('REQUEST', { ...CONFERENCE, SEQUENCE: '1', DTSTAMP: '19970614T190000Z', ORGANIZER: person('e') }),
        from: 'e@example.com',
      },
    ],
    messages: [{ isOutOfDate: true }, REQUESTED],
    starts: ['1997-07-01T20:00'],
    events: [{ organizer: { emailAddress: { address: 'e@example.com' } } }],
  },
  {
    section: '4.4.1: a recurring event that spans time zones',
    mails: [{ ...mail('REQUEST', PHONE), zones: SAN_JOSE }],
    messages: [{ ...REQUESTED, type: 'seriesMaster' }],
    starts: PHONES,
    events: [{ type: 'seriesMaster', recurrence: { pattern: { type: 'weekly', daysOfWeek: ['tuesday'] } } }],
  },
  {
    section: '4.4.2: one instance is modified: from 1 to 3 July',
    mails: [mail('REQUEST', CALL), mail('REQUEST', instance(JULY))],
    messages: [
      { ...REQUESTED, type: 'seriesMaster', recurrence: { pattern: { type: 'absoluteMonthly', dayOfMonth: 1 } } },
      {
        ...REQUESTED,
        type: 'exception',
        meetingRequestType: 'fullUpdate',
        previousStartDateTime: time('1997-07-01T21:00'),
      },
    ],
    starts: FIRSTS.with(1, '1997-07-03T21:00'),
  },
  {
    section: '4.4.3: an instance is cancelled: 1 August',
    mails: [mail('REQUEST', CALL), mail('REQUEST', instance(JULY)), mail('CANCEL', instance(AUGUST))],
    messages: [REQUESTED, REQUESTED, { meetingMessageType: 'meetingCancelled', type: 'exception' }],
    starts: FIRSTS.with(1, '1997-07-03T21:00').toSpliced(2, 1),
    cancelled: ['1997-08-01T21:00'],
  },
  {
    section: '4.4.4: the recurring event is cancelled',
    mails: [
      mail('REQUEST', CALL),
      mail('CANCEL', {
        UID: CALL.UID,
        ORGANIZER: person('a'),
        ATTENDEE: CALL.ATTENDEE,
        DTSTAMP: '19970721T103000Z',
        STATUS: 'CANCELLED',
        SEQUENCE: '3',
      }),
    ],
    messages: [{ isOutOfDate: true }, { meetingMessageType: 'meetingCancelled', type: 'seriesMaster' }],
    starts: [],
    cancelled: FIRSTS,
  },
  {
    section: '4.4.5: all instances from 1 September on are changed: they are in Seattle',
    mails: [
      mail('REQUEST', CALL),
      mail(
        'REQUEST',
        instance({
          'RECURRENCE-ID': ';RANGE=THISANDFUTURE:19970901T210000Z',
          SEQUENCE: '3',
          DTSTAMP: '19970626T093000Z',
          DTSTART: '19970901T210000Z',
          DTEND: '19970901T220000Z',
          LOCATION: 'Building 32, Seattle',
        }),
      ),
    ],
    messages: [REQUESTED, { ...REQUESTED, meetingRequestType: 'informationalUpdate' }],
    starts: FIRSTS,
    events: [
      { location: { displayName: 'Conference Call' } },
      { location: { displayName: 'Building 32, Seattle' }, recurrence: { range: { startDate: '1997-09-01' } } },
    ],
  },
  {
    section: '4.4.6: an instance is added by ADD, which is a plain message here',
    mails: [
      mail('REQUEST', CALL),
      mail(
        'ADD',
        instance({
          SEQUENCE: '4',
          DTSTAMP: '19970712T141500Z',
          DTSTART: '19970715T210000Z',
          DTEND: '19970715T220000Z',
        }),
      ),
    ],
    messages: [REQUESTED, { subject: 'Review' }],
    starts: FIRSTS,
  },
  {
    section:
      '4.4.6: an instance is added by a request for the whole, as the RFC has it for those who do not support ADD',
    mails: [
      mail('REQUEST', CALL),
      mail('REQUEST', { ...CALL, SEQUENCE: '4', DTSTAMP: '19970714T103000Z', RDATE: '19970715T210000Z' }),
    ],
    messages: [{ isOutOfDate: true }, { ...REQUESTED, meetingRequestType: 'fullUpdate' }],
    starts: [...FIRSTS, '1997-07-15T21:00'].sort(),
  },
  {
    section: '4.4.7: a series of instances is added, by a request with both days of the week',
    mails: [
      mail('REQUEST', {
        ...CALL,
        RRULE: 'WKST=SU;BYDAY=TU;FREQ=WEEKLY;COUNT=4',
        DTSTART: '19980303T210000Z',
        DTEND: '19980303T220000Z',
        DTSTAMP: '19980303T193000Z',
      }),
      mail('REQUEST', {
        ...CALL,
        SEQUENCE: '2',
        RRULE: 'WKST=SU;BYDAY=TU,TH;FREQ=WEEKLY;COUNT=6',
        DTSTART: '19980303T210000Z',
        DTEND: '19980303T220000Z',
        DTSTAMP: '19980303T193100Z',
      }),
    ],
    messages: [{ isOutOfDate: true }, { ...REQUESTED, meetingRequestType: 'fullUpdate' }],
    starts: ['03-03', '03-05', '03-10', '03-12', '03-17', '03-19'].map((day) => `1998-${day}T21:00`),
  },
  {
    section: '4.4.8: the recurring event is sent again, with all that was changed',
    mails: [
      mail(
        'REQUEST',
        { ...CALL, SEQUENCE: '4', DTSTAMP: '19970714T103000Z', RDATE: '19970715T210000Z', EXDATE: '19970801T210000Z' },
        instance({ ...JULY, SEQUENCE: '4', DTSTAMP: '19970714T103000Z' }),
        instance({
          'RECURRENCE-ID': '19970901T210000Z',
          SEQUENCE: '4',
          DTSTAMP: '19970714T103000Z',
          DTSTART: '19970902T210000Z',
          DTEND: '19970902T220000Z',
          LOCATION: 'Building 32',
        }),
      ),
    ],
    messages: [{ ...REQUESTED, meetingRequestType: 'newMeetingRequest', type: 'seriesMaster' }],
    starts: ['1997-06-01T21:00', '1997-07-03T21:00', '1997-07-15T21:00', '1997-09-02T21:00', ...FIRSTS.slice(4)],
  },
];

const ROWS_OF_A = ['b', 'c', 'd'].map((letter) => ({
  type: 'required',
  emailAddress: { name: letter.toUpperCase(), address: `${letter}@example.com` },
}));
const OWN = {
  subject: 'Conference',
  start: { dateTime: '1997-07-01T20:00:00', timeZone: 'UTC' },
  end: { dateTime: '1997-07-01T21:00:00', timeZone: 'UTC' },
  attendees: ROWS_OF_A,
};
const MONTHLY = {
  pattern: { type: 'absoluteMonthly', interval: 1, dayOfMonth: 1 },
  range: { type: 'endDate', startDate: '1997-07-01', endDate: '1998-09-01' },
};

interface Organized {
  readonly section: string;
  readonly isRecurring?: boolean;
  readonly method: string;
  readonly from: string;
  readonly properties: Properties;
  readonly message: object;
  /** Of the event, or of its first occurrence. */
  readonly responses: Readonly<Record<string, string>>;
}

const ORGANIZED: readonly Organized[] = [
  {
    section: '4.2.2: B replies to the group event request',
    method: 'REPLY',
    from: 'b@example.com',
    properties: { ATTENDEE: `;PARTSTAT=ACCEPTED:${person('b')}`, 'REQUEST-STATUS': '2.0;Success' },
    message: { meetingMessageType: 'meetingAccepted', responseType: 'accepted', isOutOfDate: false },
    responses: { b: 'accepted', c: 'none', d: 'none' },
  },
  {
    section: '4.2.4: B counters the proposal, with all rows of the event',
    method: 'COUNTER',
    from: 'b@example.com',
    properties: {
      ATTENDEE: [`;ROLE=CHAIR;PARTSTAT=ACCEPTED:${person('a')}`, ...GUESTS.map((each) => `;RSVP=TRUE:${person(each)}`)],
      DTSTART: '19970701T160000Z',
      DTEND: '19970701T170000Z',
      SUMMARY: 'Conference',
      LOCATION: 'Green Conference Room',
      COMMENT: 'This time works much better and I think the big conference room is too big',
    },
    message: {
      meetingMessageType: 'meetingTentativelyAccepted',
      proposedNewTime: { start: time('1997-07-01T16:00'), end: time('1997-07-01T17:00') },
    },
    responses: { b: 'tentativelyAccepted', c: 'none', d: 'none' },
  },
  {
    section: '4.2.5: C delegates the event to E',
    method: 'REPLY',
    from: 'c@example.com',
    properties: {
      ATTENDEE: `;PARTSTAT=DELEGATED;DELEGATED-TO="${person('e')}":${person('c')}`,
      'REQUEST-STATUS': '2.0;Success',
    },
    message: { meetingMessageType: 'none' },
    responses: { b: 'none', c: 'none', d: 'none', e: 'none' },
  },
  {
    section: '4.2.6: the delegate accepts the meeting',
    method: 'REPLY',
    from: 'e@example.com',
    properties: { ATTENDEE: `;PARTSTAT=ACCEPTED;DELEGATED-FROM="${person('c')}":${person('e')}` },
    message: { meetingMessageType: 'meetingAccepted' },
    responses: { b: 'none', c: 'none', d: 'none', e: 'accepted' },
  },
  {
    section: '4.2.7: the delegate declines the meeting',
    method: 'REPLY',
    from: 'e@example.com',
    properties: {
      ATTENDEE: `;PARTSTAT=DECLINED;DELEGATED-FROM="${person('c')}":${person('e')}`,
      COMMENT: 'Sorry, I will be out of town at that time.',
    },
    message: { meetingMessageType: 'meetingDeclined' },
    responses: { b: 'none', c: 'none', d: 'none', e: 'declined' },
  },
  {
    section: '4.4.8: B asks for the event again by REFRESH, which is a plain message here',
    isRecurring: true,
    method: 'REFRESH',
    from: 'b@example.com',
    properties: { ATTENDEE: person('b') },
    message: { subject: 'Review' },
    responses: { b: 'none', c: 'none', d: 'none' },
  },
  {
    section: '4.4.9: D counters an instance of the recurring event',
    isRecurring: true,
    method: 'COUNTER',
    from: 'd@example.com',
    properties: {
      'RECURRENCE-ID': '19970701T200000Z',
      ATTENDEE: [...GUESTS.map((each) => `;RSVP=TRUE:${person(each)}`)],
      DTSTART: '19970702T200000Z',
      DTEND: '19970702T210000Z',
      SUMMARY: 'Conference',
    },
    message: { type: 'exception', proposedNewTime: { start: time('1997-07-02T20:00') } },
    responses: { b: 'none', c: 'none', d: 'tentativelyAccepted' },
  },
  {
    section: '4.4.10: a reply with an error declines',
    isRecurring: true,
    method: 'REPLY',
    from: 'b@example.com',
    properties: {
      ATTENDEE: `;PARTSTAT=DECLINED:${person('b')}`,
      'REQUEST-STATUS': '3.8;No authority;RRULE',
      RRULE: 'FREQ=MONTHLY;BYMONTHDAY=1',
    },
    message: { meetingMessageType: 'meetingDeclined' },
    responses: { b: 'declined', c: 'none', d: 'none' },
  },
];

onAnyStore(
  'the examples of RFC 5546',
  (bench) => {
    let post: Post;
    beforeEach(async () => {
      await bench.jar.reset();
      post = await postOf(bench);
    });

    describe('as an attendee', () => {
      it.each(INVITED)('$section', async ({ mails, messages, starts, cancelled = [], events }) => {
        const shown = await post.messages(
          await post.sendAll(mails.map((each) => ({ from: 'a@example.com', ...each }))),
        );
        for (const [index, expected] of messages.entries()) expect(shown[index]).toMatchObject(expected);
        const view = await post.view('1997-01-01', '1999-01-01');
        expect(startsOf(view.filter(({ isCancelled }) => !isCancelled))).toEqual(starts);
        expect(startsOf(view.filter(({ isCancelled }) => isCancelled))).toEqual(cancelled);
        const sorted = (await post.events()).toSorted((a, b) => (a.start.dateTime < b.start.dateTime ? -1 : 1));
        for (const [index, expected] of (events ?? []).entries()) expect(sorted[index]).toMatchObject(expected);
      });
    });

    describe('as the organizer', () => {
      it.each(ORGANIZED)('$section', async ({ isRecurring, method, from, properties, message, responses }) => {
        const { uid } = await post.client
          .api('/me/events')
          .post({ ...OWN, ...(isRecurring && { recurrence: MONTHLY }) });
        const common = { UID: uid, SEQUENCE: '0', DTSTAMP: '20260106T190000Z', ORGANIZER: `mailto:${ADA}` };
        const id = await post.send({ ...mail(method, { ...common, ...properties }), from });
        expect(await post.message(id)).toMatchObject(message);
        const [first] = await post.view('1997-01-01', '1999-01-01');
        const rows = first.attendees.map(
          (each: { emailAddress: { address: string }; status: { response: string } }) => [
            each.emailAddress.address.replace(/@.*/, ''),
            each.status.response,
          ],
        );
        expect(Object.fromEntries(rows)).toEqual(responses);
      });
    });
  },
  { clockStart: CLOCK_START },
);
