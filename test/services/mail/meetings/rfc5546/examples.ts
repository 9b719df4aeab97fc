import { ADA, type MeetingMail, type Properties } from '../arrivals.ts';

/** An example in which the jar's mailbox is an invitee: the mails that it gets, and the resulting calendar. */
export interface Invited {
  readonly section: string;
  readonly mails: readonly MeetingMail[];
  readonly messages: readonly object[];
  /** Without cancelled events. */
  readonly starts: readonly string[];
  readonly cancelled?: readonly string[];
  readonly events?: readonly object[];
}

/** An example in which the jar's mailbox is the organizer A, who has invited B, C and D. */
export interface Organized {
  readonly section: string;
  readonly isRecurring?: boolean;
  readonly method: string;
  readonly from: string;
  readonly properties: Properties;
  readonly message: object;
  /** Responses to the event, or to its first occurrence. */
  readonly responses: Readonly<Record<string, string>>;
}

/** The persons A to E of the examples. */
export const person = (letter: string): string => `mailto:${letter}@example.com`;
export const GUESTS = ['b', 'c', 'd'];

export const REQUESTED = { meetingMessageType: 'meetingRequest', isOutOfDate: false };
export const time = (dateTime: string) => ({ dateTime: `${dateTime}:00.0000000`, timeZone: 'UTC' });

/** Every `step` days from the first day to the end of 1998. */
export function days(first: string, step: number): readonly string[] {
  const all: string[] = [];
  for (let at = Date.parse(`${first}Z`); at < Date.UTC(1999, 0, 1); at += step * 86_400_000)
    all.push(new Date(at).toISOString().slice(0, 16));
  return all;
}

export const CONFERENCE: Properties = {
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
    ';RSVP=FALSE;CUTYPE=ROOM:conf_big@example.com',
    `;ROLE=NON-PARTICIPANT;RSVP=FALSE:${person('e')}`,
  ],
};
