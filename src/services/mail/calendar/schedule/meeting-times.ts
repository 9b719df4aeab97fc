import { type Answer, ok } from '../../../../kernel/http/index.ts';
import { DAY_MS, MINUTE_MS } from '../../../../kernel/time/index.ts';
import type { MailCall } from '../../api/request.ts';
import { baseOf } from '../../api/show.ts';
import { shownRecipient, shownTime } from '../../api/values.ts';
import { placeNamed, shownLocation } from '../../messages/location.ts';
import type { Span } from '../times.ts';
import { type Busy, busyWithin, scheduleOf, weightWithin } from './availability.ts';
import { type Invitee, type MeetingTimesInput, type Room, readMeetingTimes } from './meeting-times-input.ts';
import { isWorkingTime } from './working-time.ts';

/** `findMeetingTimes`: suggests times at which the attendees can meet. */

const STEP_MS = 30 * MINUTE_MS;
/** Days to search if the client names no time. */
const DEFAULT_DAYS = 7;

/** The chance of attendance if it is not known. */
const UNKNOWN_CHANCE = 49;

type Availability = 'free' | 'tentative' | 'busy' | 'oof' | 'unknown';
const AVAILABILITIES: readonly Availability[] = ['free', 'tentative', 'busy', 'oof'];
const CHANCES: Readonly<Record<Availability, number>> = {
  free: 100,
  // Attendance of a tentatively busy attendee is not known either.
  tentative: UNKNOWN_CHANCE,
  unknown: UNKNOWN_CHANCE,
  busy: 0,
  oof: 0,
};

interface Person<Who> {
  readonly who: Who;
  /** Undefined if the calendar is not known. */
  readonly busy: readonly Busy[] | undefined;
}

interface Candidate {
  readonly span: Span;
  readonly organizer: Availability;
  readonly attendees: readonly Availability[];
  readonly rooms: readonly Room[];
  readonly confidence: number;
}

export async function findMeetingTimes(call: MailCall): Promise<Answer> {
  const input = readMeetingTimes(call.json());
  const spans = input.spans ?? [defaultSpan(call.receivedAt)];
  const window = { from: spans[0]?.from ?? 0, to: Math.max(...spans.map(({ to }) => to)) };
  const own = await busyWithin(call.jar.store, call.mailbox, window);
  const people = await busyOf(call, input.attendees, window);
  const rooms = await busyOf(call, input.rooms, window);
  const candidates: Candidate[] = [];
  for (const span of startsIn(call, input, spans)) candidates.push(candidate(span, own, people, rooms));
  const fitting = candidates.filter((each) => reasonAgainst(input, each) === undefined);
  const best = fitting.sort((a, b) => b.confidence - a.confidence || a.span.from - b.span.from).slice(0, input.most);
  return ok({
    '@odata.context': `${baseOf(call)}/$metadata#microsoft.graph.meetingTimeSuggestionsResult`,
    emptySuggestionsReason: best.length > 0 ? '' : reasonForNone(input, candidates),
    meetingTimeSuggestions: best.map((each, at) => suggestion(call, input, each, at)),
  });
}

function defaultSpan(now: number): Span {
  const from = Math.ceil(now / STEP_MS) * STEP_MS;
  return { from, to: from + DEFAULT_DAYS * DAY_MS };
}

async function busyOf<Who extends Invitee | Room>(
  call: MailCall,
  all: readonly Who[],
  window: Span,
): Promise<readonly Person<Who>[]> {
  const people: Person<Who>[] = [];
  for (const who of all) {
    const schedule = who.address === '' ? undefined : await scheduleOf(call, who.address);
    const isKnown = schedule && schedule.detail !== 'none';
    people.push({ who, busy: isKnown ? await busyWithin(call.jar.store, schedule.mailbox, window) : undefined });
  }
  return people;
}

/** Yields every half hour at which the meeting fits into the span. */
function* startsIn(
  { mailbox }: MailCall,
  { durationMs, domain }: MeetingTimesInput,
  spans: readonly Span[],
): Generator<Span> {
  for (const { from: begin, to: end } of spans)
    for (let from = Math.ceil(begin / STEP_MS) * STEP_MS; from + durationMs <= end; from += STEP_MS) {
      const span = { from, to: from + durationMs };
      if (domain === 'unrestricted' || isWorkingTime(mailbox.settings.workingHours, span, domain === 'personal'))
        yield span;
    }
}

const availabilityIn = (busy: readonly Busy[] | undefined, span: Span): Availability =>
  busy ? (AVAILABILITIES[weightWithin(busy, span)] ?? 'busy') : 'unknown';

/** The confidence is the mean chance of attendance of the attendees, or the organizer's chance if there are no attendees. */
function candidate(
  span: Span,
  own: readonly Busy[],
  people: readonly Person<Invitee>[],
  rooms: readonly Person<Room>[],
): Candidate {
  const organizer = availabilityIn(own, span);
  const attendees = people.map(({ busy }) => availabilityIn(busy, span));
  const chances = (attendees.length > 0 ? attendees : [organizer]).map((each) => CHANCES[each]);
  return {
    span,
    organizer,
    attendees,
    rooms: rooms
      .filter(({ who, busy }) => !who.resolveAvailability || availabilityIn(busy, span) === 'free')
      .map(({ who }) => who),
    confidence: chances.reduce((sum, chance) => sum + chance, 0) / chances.length,
  };
}

type Reason =
  | 'attendeesUnavailable'
  | 'attendeesUnavailableOrUnknown'
  | 'locationsUnavailable'
  | 'organizerUnavailable'
  | 'unknown';

function reasonAgainst(input: MeetingTimesInput, each: Candidate): Reason | undefined {
  if (!input.isOrganizerOptional && CHANCES[each.organizer] < UNKNOWN_CHANCE) return 'organizerUnavailable';
  if (each.confidence < input.threshold)
    return each.attendees.includes('unknown') ? 'attendeesUnavailableOrUnknown' : 'attendeesUnavailable';
  if (input.isRoomRequired && each.rooms.length === 0) return 'locationsUnavailable';
  return undefined;
}

/** The reason why the first rejected candidate was rejected. */
const reasonForNone = (input: MeetingTimesInput, all: readonly Candidate[]): Reason =>
  all.map((each) => reasonAgainst(input, each)).find((reason) => reason !== undefined) ?? 'unknown';

function suggestion({ prefer }: MailCall, input: MeetingTimesInput, found: Candidate, at: number): object {
  const { span, organizer, attendees, confidence, rooms } = found;
  const isAll = [organizer, ...attendees].every((each) => each === 'free');
  const reason = isAll
    ? 'Suggested because it is one of the nearest times when all attendees are available.'
    : 'Suggested because it is one of the nearest times when most attendees are available.';
  return {
    confidence,
    order: at + 1,
    organizerAvailability: organizer,
    suggestionReason: input.withReasons ? reason : null,
    meetingTimeSlot: {
      start: shownTime({ wall: span.from, zone: 'UTC' }, prefer),
      end: shownTime({ wall: span.to, zone: 'UTC' }, prefer),
    },
    attendeeAvailability: input.attendees.map((who, index) => ({
      availability: attendees[index] ?? 'unknown',
      attendee: { type: who.type, ...shownRecipient(who) },
    })),
    locations: rooms.map(({ name, address }) => ({
      ...shownLocation(placeNamed(name)),
      ...(address !== '' && { locationEmailAddress: address }),
    })),
  };
}
