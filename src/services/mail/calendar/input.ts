import {
  anyObject,
  anyValue,
  flag,
  list,
  mistake,
  nullable,
  number,
  object,
  type Read,
  readOnly,
  text,
  word,
} from '../api/fields.ts';
import { ITEM_PARTS } from '../api/item-parts.ts';
import { address, itemBody, zonedTime } from '../api/values.ts';
import { errors } from '../errors.ts';
import { MOST_RECIPIENTS } from '../limits.ts';
import { location } from '../messages/location.ts';
import { type Address, IMPORTANCES } from '../messages/types.ts';
import { oneLine } from '../mime/one-line.ts';
import { checkAddresses } from '../sending/addresses.ts';
import type { ZonedTime } from '../zones/wall.ts';
import { ATTENDEE_TYPES, type AttendeeType, MEETING_PROVIDERS, SENSITIVITIES, SHOW_AS } from './types.ts';

/** Validates an event that a client sent. */

const LONGEST_SUBJECT = 255;
const subject: Read<string> = (value, at) => {
  const line = oneLine(nullable(text({ longest: 10_000 }))(value, at) ?? '');
  if (line.length > LONGEST_SUBJECT)
    throw mistake(at, `it has ${line.length} characters; the maximum is ${LONGEST_SUBJECT}`);
  return line;
};

/** A time, and the zone name that the client sent. */
export interface NamedTime {
  readonly time: ZonedTime;
  readonly zoneName: string;
}

const namedTime: Read<NamedTime> = (value, at) => {
  const time = zonedTime(value, at);
  return { time, zoneName: zoneNameIn(value) ?? 'UTC' };
};

/** `zonedTime` has already validated the value. */
function zoneNameIn(value: unknown): string | undefined {
  const members = Object.entries(anyObject(value, ''));
  const name = members.find(([member]) => member.toLowerCase() === 'timezone')?.[1];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

export interface AttendeeInput extends Address {
  readonly type: AttendeeType;
}

const attendeeFields = object('attendee', {
  type: nullable(word(ATTENDEE_TYPES)),
  emailAddress: address,
  status: anyValue,
  proposedNewTime: anyValue,
});

const attendee: Read<AttendeeInput> = (value, at) => {
  const { type, emailAddress } = attendeeFields(value, at);
  if (!emailAddress || emailAddress.address === '') throw mistake(`${at}/emailAddress/address`, 'it is required');
  checkAddresses([emailAddress], at);
  return { ...emailAddress, type: type ?? 'required' };
};

/** Repeated addresses are dropped. */
const attendees: Read<readonly AttendeeInput[]> = (value, at) => {
  const all = list(attendee)(value ?? [], at);
  const known = new Map<string, AttendeeInput>();
  for (const each of all) if (!known.has(each.address.toLowerCase())) known.set(each.address.toLowerCase(), each);
  if (known.size > MOST_RECIPIENTS)
    throw errors.ErrorExceededMaxRecipientLimit__Attendees(
      { maximum: MOST_RECIPIENTS, count: known.size },
      { target: at },
    );
  return [...known.values()];
};

const LONGEST_REMINDER_MINUTES = 2_147_483_647;
const MOST_LOCATIONS = 100;

const WRITABLE = {
  subject,
  body: nullable(itemBody),
  start: namedTime,
  end: namedTime,
  isAllDay: nullable(flag),
  location: nullable(location),
  locations: nullable(list(location, MOST_LOCATIONS)),
  attendees,
  importance: nullable(word(IMPORTANCES)),
  sensitivity: nullable(word(SENSITIVITIES)),
  showAs: nullable(word(SHOW_AS)),
  categories: nullable(list(text({ longest: 255 }), 100)),
  isReminderOn: nullable(flag),
  reminderMinutesBeforeStart: nullable(number(0, LONGEST_REMINDER_MINUTES)),
  responseRequested: nullable(flag),
  allowNewTimeProposals: nullable(flag),
  hideAttendees: nullable(flag),
  isOnlineMeeting: nullable(flag),
  onlineMeetingProvider: nullable(word(MEETING_PROVIDERS)),
  recurrence: anyValue,
  transactionId: nullable(text({ longest: 255 })),
  ...ITEM_PARTS,
} satisfies Readonly<Record<string, Read<unknown>>>;

/** Read-only properties. Values that clients send for them have no effect. */
const READ_ONLY = [
  'id',
  'changeKey',
  'createdDateTime',
  'lastModifiedDateTime',
  'bodyPreview',
  'cancelledOccurrences',
  'exceptionOccurrences',
  'hasAttachments',
  'iCalUId',
  'uid',
  'isCancelled',
  'isDraft',
  'isOrganizer',
  'occurrenceId',
  'onlineMeeting',
  'onlineMeetingUrl',
  'organizer',
  'originalStart',
  'originalStartTimeZone',
  'originalEndTimeZone',
  'responseStatus',
  'seriesMasterId',
  'type',
  'webLink',
  'calendar',
  'instances',
] as const;

export const eventInput = object('event', { ...WRITABLE, ...readOnly(READ_ONLY) });
export type EventInput = ReturnType<typeof eventInput>;
