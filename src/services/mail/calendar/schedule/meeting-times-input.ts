import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../kernel/time/index.ts';
import {
  anyValue,
  flag,
  list,
  mistake,
  nullable,
  number,
  object,
  parameters,
  type Read,
  text,
  word,
} from '../../api/fields.ts';
import { address, zonedTime } from '../../api/values.ts';
import { errors } from '../../errors.ts';
import type { Address } from '../../messages/types.ts';
import { instantOf, type Span } from '../times.ts';
import { ATTENDEE_TYPES, type AttendeeType } from '../types.ts';

/** Validates the input of `findMeetingTimes`. */

export const DOMAINS = ['work', 'personal', 'unrestricted', 'unknown'] as const;

export interface Invitee extends Address {
  readonly type: AttendeeType;
}

export interface Room extends Address {
  readonly resolveAvailability: boolean;
}

export interface MeetingTimesInput {
  readonly attendees: readonly Invitee[];
  readonly domain: (typeof DOMAINS)[number];
  /** Undefined if the client names no spans. */
  readonly spans: readonly Span[] | undefined;
  readonly durationMs: number;
  readonly most: number;
  readonly threshold: number;
  readonly isOrganizerOptional: boolean;
  readonly withReasons: boolean;
  readonly rooms: readonly Room[];
  readonly isRoomRequired: boolean;
}

const MOST_ATTENDEES = 100;
const MOST_ROOMS = 20;
const MOST_SPANS = 100;
const MOST_DAYS = 62;
const DEFAULT_MINUTES = 30;
const DEFAULT_CANDIDATES = 20;
const DEFAULT_THRESHOLD = 50;

/** ISO 8601 duration in whole minutes. */
const DURATION = /^P(?:(\d{1,2})D)?(?:T(?:(\d{1,2})H)?(?:(\d{1,4})M)?)?$/i;

const attendee = object('attendeeBase', { type: nullable(word(ATTENDEE_TYPES)), emailAddress: address });
const timeSlot = object('timeSlot', { start: zonedTime, end: zonedTime });
const timeConstraint = object('timeConstraint', {
  activityDomain: nullable(word(DOMAINS)),
  timeSlots: nullable(list(timeSlot, MOST_SPANS)),
});
const roomFields = object('locationConstraintItem', {
  displayName: nullable(text({ longest: 1000 })),
  locationEmailAddress: nullable(text({ longest: 320 })),
  resolveAvailability: nullable(flag),
  address: anyValue,
  coordinates: anyValue,
  locationType: anyValue,
  locationUri: anyValue,
  uniqueId: anyValue,
  uniqueIdType: anyValue,
});
const locationConstraint = object('locationConstraint', {
  isRequired: nullable(flag),
  suggestLocation: nullable(flag),
  locations: nullable(list(roomFields, MOST_ROOMS)),
});

const percentage: Read<number> = (value, at) => {
  if (typeof value !== 'number' || !(value >= 0 && value <= 100))
    throw mistake(at, 'a number from 0 to 100 is expected');
  return value;
};

const FIELDS = {
  attendees: nullable(list(attendee, MOST_ATTENDEES)),
  locationConstraint: nullable(locationConstraint),
  timeConstraint: nullable(timeConstraint),
  meetingDuration: nullable(text({ longest: 60 })),
  maxCandidates: nullable(number(1, 1000)),
  isOrganizerOptional: nullable(flag),
  returnSuggestionReasons: nullable(flag),
  minimumAttendeePercentage: nullable(percentage),
};

export function readMeetingTimes(body: unknown): MeetingTimesInput {
  const sent = parameters('findMeetingTimes', FIELDS, body);
  const { locationConstraint: where, timeConstraint: when } = sent;
  const slots = when?.timeSlots;
  return {
    attendees: (sent.attendees ?? []).map(({ type, emailAddress }, at) => {
      if (!emailAddress?.address) throw mistake(`attendees[${at}]/emailAddress/address`, 'it is required');
      return { ...emailAddress, type: type ?? 'required' };
    }),
    domain: when?.activityDomain ?? 'work',
    spans: slots && slots.length > 0 ? checkedSpans(slots) : undefined,
    durationMs: durationOf(sent.meetingDuration),
    most: sent.maxCandidates ?? DEFAULT_CANDIDATES,
    threshold: sent.minimumAttendeePercentage ?? DEFAULT_THRESHOLD,
    isOrganizerOptional: sent.isOrganizerOptional ?? false,
    withReasons: sent.returnSuggestionReasons ?? false,
    rooms: (where?.locations ?? []).map((room) => ({
      name: room.displayName ?? '',
      address: room.locationEmailAddress ?? '',
      resolveAvailability: room.resolveAvailability ?? false,
    })),
    isRoomRequired: where?.isRequired ?? false,
  };
}

function checkedSpans(slots: readonly ReturnType<typeof timeSlot>[]): readonly Span[] {
  const spans = slots.map(({ start, end }, at) => {
    const target = `timeConstraint/timeSlots[${at}]`;
    if (!start || !end) throw mistake(target, "'start' and 'end' are required");
    const span = { from: instantOf(start), to: instantOf(end) };
    if (span.to <= span.from) throw mistake(`${target}/end`, 'it is not after the start');
    return span;
  });
  const all = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  if (all > MOST_DAYS * DAY_MS)
    throw errors.ErrorTimeIntervalTooBig({ days: MOST_DAYS }, { target: 'timeConstraint/timeSlots' });
  return spans.toSorted((a, b) => a.from - b.from);
}

function durationOf(written: string | null | undefined): number {
  if (!written) return DEFAULT_MINUTES * MINUTE_MS;
  const [, days, hours, minutes] = DURATION.exec(written) ?? [];
  const duration = Number(days ?? 0) * DAY_MS + Number(hours ?? 0) * HOUR_MS + Number(minutes ?? 0) * MINUTE_MS;
  if (duration < MINUTE_MS || duration > DAY_MS)
    throw mistake('meetingDuration', `'${written}' is not a duration from one minute to one day, such as 'PT1H'`);
  return duration;
}
