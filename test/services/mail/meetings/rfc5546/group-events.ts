import { ADA, mail, type Properties } from '../arrivals.ts';
import { CONFERENCE, days, GUESTS, type Invited, type Organized, person, REQUESTED, time } from './examples.ts';

/** Section 4.2 of RFC 5546: group events. */

const ELECTION: Properties = {
  ...CONFERENCE,
  UID: 'election-873970198738777@example.com',
  DTSTART: '19970701T190000Z',
  DTEND: '19970701T200000Z',
  SUMMARY: 'Discuss the results',
  LOCATION: 'Green Conference Room',
  ATTENDEE: [`;ROLE=CHAIR;PARTSTAT=ACCEPTED:${person('a')}`, `;RSVP=TRUE:mailto:${ADA}`, `;RSVP=TRUE:${person('c')}`],
};

const PHONE_CONFERENCE: Properties = {
  ...CONFERENCE,
  DTSTART: '19970701T180000Z',
  DTEND: '19970701T200000Z',
  SUMMARY: 'Phone Conference',
  ATTENDEE: [`;ROLE=CHAIR;PARTSTAT=ACCEPTED:${person('a')}`, person('b'), `;RSVP=TRUE:mailto:${ADA}`],
};

const WEEKLY: Properties = {
  ...CONFERENCE,
  UID: '123456@example.com',
  DTEND: '19970701T203000Z',
  RRULE: 'FREQ=WEEKLY',
  SUMMARY: 'Phone Conference',
};

/** E's answer as a delegate, with the rows of both. */
const delegateReply = (partStat: string, uid: Properties[string], delegator: string): Properties => ({
  UID: uid,
  SEQUENCE: '0',
  DTSTAMP: '19970614T190000Z',
  ORGANIZER: person('a'),
  ATTENDEE: [
    `;PARTSTAT=DELEGATED;DELEGATED-TO="${person('e')}":mailto:${delegator}`,
    `;PARTSTAT=${partStat};DELEGATED-FROM="mailto:${delegator}":${person('e')}`,
  ],
  'REQUEST-STATUS': '2.0;Success',
});

export const INVITED_TO_GROUP_EVENTS: readonly Invited[] = [
  {
    section: '4.2.1: a group event request, with a room whose address has no scheme',
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
    section: '4.2.1: the end as it is printed there, with a digit too many, is no time: the event ends when it begins',
    mails: [mail('REQUEST', { ...CONFERENCE, DTEND: '19970701T2100000Z' })],
    messages: [{ ...REQUESTED, endDateTime: time('1997-07-01T20:00') }],
    starts: ['1997-07-01T20:00'],
  },
  {
    section: '4.2.3: an update of an event: it is two hours earlier, and called otherwise',
    mails: [
      mail('REQUEST', CONFERENCE),
      mail('REQUEST', {
        ...CONFERENCE,
        DTSTAMP: '19970613T190000Z',
        DTSTART: '19970701T180000Z',
        DTEND: '19970701T190000Z',
        SUMMARY: 'Phone Conference',
        SEQUENCE: '1',
        ATTENDEE: [
          `;ROLE=CHAIR;PARTSTAT=ACCEPTED:${person('a')}`,
          `;RSVP=TRUE;CUTYPE=INDIVIDUAL:mailto:${ADA}`,
          `;RSVP=TRUE;CUTYPE=INDIVIDUAL:${person('c')}`,
          `;RSVP=TRUE;CUTYPE=INDIVIDUAL;CN=Hal:${person('d')}`,
          ';ROLE=NON-PARTICIPANT;RSVP=FALSE;CUTYPE=ROOM:mailto:conf@example.com',
          `;ROLE=NON-PARTICIPANT;RSVP=FALSE:${person('e')}`,
        ],
      }),
    ],
    messages: [
      { isOutOfDate: true, meetingRequestType: 'outdated' },
      { ...REQUESTED, meetingRequestType: 'fullUpdate', previousStartDateTime: time('1997-07-01T20:00') },
    ],
    starts: ['1997-07-01T18:00'],
    events: [{ subject: 'Phone Conference' }],
  },
  {
    section: '4.2.4: the organizer accepts a counter proposal of the mailbox by a new request',
    mails: [
      mail('REQUEST', ELECTION),
      mail('REQUEST', {
        ...ELECTION,
        DTSTAMP: '19970613T190000Z',
        DTSTART: '19970701T160000Z',
        DTEND: '19970701T170000Z',
        SUMMARY: 'Discuss the results - changed to meet the schedule of B',
        LOCATION: 'Blue Conference Room',
        SEQUENCE: '1',
      }),
    ],
    messages: [
      { isOutOfDate: true },
      {
        ...REQUESTED,
        meetingRequestType: 'fullUpdate',
        previousStartDateTime: time('1997-07-01T19:00'),
        previousLocation: { displayName: 'Green Conference Room' },
      },
    ],
    starts: ['1997-07-01T16:00'],
    events: [{ location: { displayName: 'Blue Conference Room' } }],
  },
  {
    section: '4.2.4: the organizer declines a counter proposal of the mailbox',
    mails: [
      mail('REQUEST', ELECTION),
      mail('DECLINECOUNTER', {
        UID: ELECTION.UID,
        SEQUENCE: '0',
        DTSTAMP: '19970614T190000Z',
        ORGANIZER: person('a'),
        ATTENDEE: `;RSVP=TRUE;CUTYPE=INDIVIDUAL:mailto:${ADA}`,
        COMMENT: 'Sorry, not possible at another time',
      }),
    ],
    messages: [{ ...REQUESTED, meetingRequestType: 'newMeetingRequest' }, { subject: 'Review' }],
    starts: ['1997-07-01T19:00'],
  },
  {
    section: '4.2.5: C delegates the event to the mailbox',
    mails: [
      {
        ...mail('REQUEST', {
          ...PHONE_CONFERENCE,
          ATTENDEE: [
            `;PARTSTAT=DELEGATED;DELEGATED-TO="mailto:${ADA}":${person('c')}`,
            `;RSVP=TRUE;DELEGATED-FROM="${person('c')}":mailto:${ADA}`,
          ],
        }),
        from: 'c@example.com',
      },
    ],
    messages: [{ ...REQUESTED, isDelegated: true, from: { emailAddress: { address: 'c@example.com' } } }],
    starts: ['1997-07-01T18:00'],
    events: [{ organizer: { emailAddress: { address: 'a@example.com' } } }],
  },
  {
    section: '4.2.6: the delegate E tells the mailbox, which has delegated, that E accepts',
    mails: [
      mail('REQUEST', PHONE_CONFERENCE),
      { ...mail('REPLY', delegateReply('ACCEPTED', PHONE_CONFERENCE.UID, ADA)), from: 'e@example.com' },
    ],
    messages: [REQUESTED, { meetingMessageType: 'meetingAccepted' }],
    starts: ['1997-07-01T18:00'],
    events: [{ isOrganizer: false, responseStatus: { response: 'notResponded' } }],
  },
  {
    section: '4.2.7: the organizer tells the mailbox, which has delegated, that the delegate E declines',
    mails: [
      mail('REQUEST', PHONE_CONFERENCE),
      mail('REQUEST', {
        ...PHONE_CONFERENCE,
        DTSTAMP: '19970614T200000Z',
        COMMENT: `DELEGATE (ATTENDEE ${person('e')}) DECLINED YOUR INVITATION`,
        ATTENDEE: [`;PARTSTAT=DECLINED;DELEGATED-FROM="mailto:${ADA}":${person('e')}`, `;RSVP=TRUE:mailto:${ADA}`],
      }),
    ],
    messages: [{ isOutOfDate: true }, { ...REQUESTED, meetingRequestType: 'fullUpdate', responseRequested: true }],
    starts: ['1997-07-01T18:00'],
    events: [{ responseStatus: { response: 'notResponded' } }],
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
        // The RFC prints the first row with a semicolon instead of the colon.
        ATTENDEE: [`;CUTYPE=INDIVIDUAL;${person('a')}`, `;CUTYPE=INDIVIDUAL:mailto:${ADA}`, person('c'), person('d')],
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
        DTSTAMP: '19970613T193000Z',
        ORGANIZER: person('a'),
        ATTENDEE: `mailto:${ADA}`,
        COMMENT: 'You are off the hook for this meeting',
      }),
    ],
    messages: [{ isOutOfDate: true }, { meetingMessageType: 'meetingCancelled' }],
    starts: [],
    cancelled: ['1997-07-01T20:00'],
  },
  {
    section:
      '4.2.10: B is removed from the attendees, and the mailbox gets the list without B, with the DTSTAMP of before',
    mails: [
      mail('REQUEST', { ...CONFERENCE, ATTENDEE: [`mailto:${ADA}`, person('b')] }),
      mail('REQUEST', {
        ...CONFERENCE,
        DTEND: '19970701T203000Z',
        SUMMARY: 'Phone Conference',
        SEQUENCE: '2',
        ATTENDEE: `mailto:${ADA}`,
      }),
    ],
    messages: [{ isOutOfDate: true }, { ...REQUESTED, meetingRequestType: 'fullUpdate' }],
    starts: ['1997-07-01T20:00'],
    events: [{ attendees: [{ emailAddress: { address: ADA } }, { emailAddress: { address: 'a@example.com' } }] }],
  },
  {
    section:
      '4.2.11: B, who says to replace the organizer A, changes nothing: the RFC wants the consent of the invitee',
    mails: [
      mail('REQUEST', WEEKLY),
      {
        ...mail('REQUEST', {
          ...WEEKLY,
          SEQUENCE: '1',
          ORGANIZER: person('b'),
          ATTENDEE: [`;ROLE=CHAIR;STATUS=ACCEPTED:${person('b')}`, `;CUTYPE=INDIVIDUAL:mailto:${ADA}`, person('d')],
        }),
        from: 'b@example.com',
      },
    ],
    messages: [
      { ...REQUESTED, isOutOfDate: false },
      { meetingMessageType: 'none', isOutOfDate: false },
    ],
    starts: days('1997-07-01T20:00', 7),
    events: [{ organizer: { emailAddress: { address: 'a@example.com' } } }],
  },
];

export const ORGANIZED_GROUP_EVENTS: readonly Organized[] = [
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
      LOCATION: 'Blue Conference Room',
      COMMENT: 'This time works much better',
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
    properties: { ATTENDEE: delegateReply('ACCEPTED', '', 'c@example.com').ATTENDEE },
    message: { meetingMessageType: 'meetingAccepted' },
    responses: { b: 'none', c: 'none', d: 'none', e: 'accepted' },
  },
  {
    section: '4.2.7: the delegate declines the meeting',
    method: 'REPLY',
    from: 'e@example.com',
    properties: {
      ATTENDEE: delegateReply('DECLINED', '', 'c@example.com').ATTENDEE,
      COMMENT: 'Sorry, I will be out of town at that time.',
    },
    message: { meetingMessageType: 'meetingDeclined' },
    responses: { b: 'none', c: 'none', d: 'none', e: 'declined' },
  },
];
