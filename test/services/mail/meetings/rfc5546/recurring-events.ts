import { ADA, mail, type Properties } from '../arrivals.ts';
import { CONFERENCE, days, GUESTS, type Invited, type Organized, person, REQUESTED, time } from './examples.ts';

/** Section 4.4 of RFC 5546: recurring events and time zones. */

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

const ACCOUNTS: Properties = {
  ...CALL,
  UID: '123456789@example.com',
  RRULE: 'WKST=SU;BYDAY=TU;FREQ=WEEKLY',
  DTSTART: '19980303T210000Z',
  DTEND: '19980303T220000Z',
  DTSTAMP: '19980301T093000Z',
  SUMMARY: 'Review Accounts',
  LOCATION: 'The White Room',
};

const DATES: Properties = {
  ...ACCOUNTS,
  RRULE: undefined,
  RDATE: ['19980304T180000Z', '19980311T180000Z', '19980318T180000Z'],
  DTSTART: '19980304T180000Z',
  DTEND: '19980304T200000Z',
  DTSTAMP: '19980303T193000Z',
  LOCATION: 'Conference Room A',
};

const SECOND_DATE: Properties = {
  ...DATES,
  RDATE: undefined,
  SEQUENCE: '1',
  'RECURRENCE-ID': '19980311T180000Z',
  DTSTART: '19980311T160000Z',
  DTEND: '19980311T180000Z',
  DTSTAMP: '19980306T193000Z',
  LOCATION: 'The Small conference room',
};

const FOURTH_DATE: Properties = {
  ...DATES,
  RDATE: undefined,
  SEQUENCE: '2',
  DTSTART: '19980315T180000Z',
  DTEND: '19980315T200000Z',
  DTSTAMP: '19980307T193000Z',
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

/** 14:00 in San Jose: 21:00 UTC until 26 October, 22:00 UTC from then on. */
const PHONES = [
  ...['07-01', '07-08', '07-15', '07-22', '07-29', '08-05', '08-12', '08-19', '08-26', '09-02'],
  ...['09-10', '09-16', '09-23', '09-30', '10-07', '10-14', '10-21', '11-04', '11-11'],
].map((day) => `1997-${day}T${day >= '10-26' ? '22' : '21'}:00`);

export const INVITED_TO_RECURRING_EVENTS: readonly Invited[] = [
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
          // As the RFC prints it; RFC 5545 has RANGE=THISANDFUTURE.
          'RECURRENCE-ID': ';THISANDFUTURE:19970901T210000Z',
          SEQUENCE: '3',
          DTSTAMP: '19970526T083000Z',
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
          DTSTAMP: '19970629T093000Z',
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
    section: '4.4.7: a series of instances is added: the meeting is on Tuesdays and Thursdays',
    mails: [
      mail('REQUEST', ACCOUNTS),
      mail('REQUEST', {
        ...ACCOUNTS,
        SEQUENCE: '7',
        RRULE: 'WKST=SU;BYDAY=TU,TH;FREQ=WEEKLY',
        DTSTAMP: '19980303T193000Z',
      }),
    ],
    messages: [{ isOutOfDate: true }, { ...REQUESTED, meetingRequestType: 'fullUpdate' }],
    starts: [...days('1998-03-03T21:00', 7), ...days('1998-03-05T21:00', 7)].sort(),
  },
  {
    section: '4.4.8: three dates, of which the second is changed; the ADD of a fourth is a plain message here',
    mails: [mail('REQUEST', DATES), mail('REQUEST', SECOND_DATE), mail('ADD', FOURTH_DATE)],
    messages: [
      { ...REQUESTED, type: 'seriesMaster' },
      { ...REQUESTED, type: 'exception', previousLocation: { displayName: 'Conference Room A' } },
      { subject: 'Review' },
    ],
    starts: ['1998-03-04T18:00', '1998-03-11T16:00', '1998-03-18T18:00'],
  },
  {
    section:
      '4.4.8: the answer to a REFRESH has all that was changed; the instance in it names no organizer and ends before it begins',
    mails: [
      mail('REQUEST', DATES),
      mail('REQUEST', SECOND_DATE),
      mail('ADD', FOURTH_DATE),
      mail(
        'REQUEST',
        { ...DATES, SEQUENCE: '2', RDATE: ['19980304T180000Z', '19980311T160000Z', '19980315T180000Z'] },
        {
          ...SECOND_DATE,
          SEQUENCE: '2',
          ORGANIZER: undefined,
          'RECURRENCE-ID': '19980311T160000Z',
          DTEND: '19980304T180000Z',
        },
      ),
    ],
    messages: [
      { isOutOfDate: true },
      { isOutOfDate: true },
      { subject: 'Review' },
      { ...REQUESTED, meetingRequestType: 'fullUpdate', type: 'seriesMaster' },
    ],
    starts: ['1998-03-04T18:00', '1998-03-11T16:00', '1998-03-15T18:00'],
  },
  {
    section: '4.4.10: a request with a property that nobody knows is a request',
    mails: [mail('REQUEST', { ...CALL, RRULE: 'FREQ=MONTHLY;BYMONTHDAY=1', DTSTAMP: '19970602T094000Z', FOO: 'BAR' })],
    messages: [{ ...REQUESTED, type: 'seriesMaster' }],
    starts: Array.from({ length: 19 }, (_, month) =>
      new Date(Date.UTC(1997, 5 + month, 1, 21)).toISOString().slice(0, 16),
    ),
  },
];

export const ORGANIZED_RECURRING_EVENTS: readonly Organized[] = [
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
    section: '4.4.9: D counters an instance of the recurring event: an hour later',
    isRecurring: true,
    method: 'COUNTER',
    from: 'd@example.com',
    properties: {
      'RECURRENCE-ID': '19970701T200000Z',
      ATTENDEE: ['a', ...GUESTS].map((each) => `;RSVP=TRUE:${person(each)}`),
      DTSTART: '19970701T210000Z',
      DTEND: '19970701T220000Z',
      SUMMARY: 'Conference',
      COMMENT: 'May we bump this by an hour?',
    },
    message: {
      type: 'exception',
      startDateTime: time('1997-07-01T20:00'),
      proposedNewTime: { start: time('1997-07-01T21:00') },
    },
    responses: { b: 'none', c: 'none', d: 'tentativelyAccepted' },
  },
  {
    section: '4.4.10: a reply with an error is no answer',
    isRecurring: true,
    method: 'REPLY',
    from: 'b@example.com',
    properties: { ATTENDEE: person('b'), 'REQUEST-STATUS': '3.0;Invalid Property Name;FOO' },
    message: { '@odata.type': '#microsoft.graph.eventMessage', meetingMessageType: 'none' },
    responses: { b: 'none', c: 'none', d: 'none' },
  },
];
