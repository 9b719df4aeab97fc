import { contentPreview } from '../api/content.ts';
import { NO_LOCATION } from '../messages/location.ts';
import type { ItemBody, Location } from '../messages/types.ts';
import type { AttendeeInput, EventInput } from './input.ts';
import { newOnlineMeeting, withOnlineMeeting } from './online-meeting.ts';
import { instantOf } from './times.ts';
import type { Attendee, EventContent, MeetingProvider, ResponseStatus } from './types.ts';

/** From what a client sent to what an event says. */

export interface ChangeContext {
  /** The address of the organizer, who is no attendee of an own event. */
  readonly organizer: string;
  /** Of a new online meeting that names none. */
  readonly provider: MeetingProvider;
  /** `https://localhost:7443`, for the address of an online meeting. */
  readonly origin: string;
}

export const DEFAULT_REMINDER_MINUTES = 15;
export const NO_BODY: ItemBody = { contentType: 'html', content: '' };
const NO_ANSWER: ResponseStatus = { response: 'none' };

/** The content that the members stand for: only what was sent, and is not already so. */
export function changesFrom(input: EventInput, before: EventContent, context: ChangeContext): Partial<EventContent> {
  const changes: Partial<EventContent> = {
    ...timesFrom(input, before),
    ...placesFrom(input),
    ...(input.subject !== undefined && { subject: input.subject }),
    ...(input.body !== undefined && { body: wrapped(input.body ?? NO_BODY) }),
    ...(input.attendees && { attendees: attendeesFrom(input.attendees, before.attendees, context.organizer) }),
    ...(input.importance !== undefined && { importance: input.importance ?? 'normal' }),
    ...(input.sensitivity !== undefined && { sensitivity: input.sensitivity ?? 'normal' }),
    ...(input.showAs !== undefined && { showAs: input.showAs ?? 'busy' }),
    ...(input.categories !== undefined && { categories: [...new Set(input.categories)] }),
    ...(input.isReminderOn !== undefined && { isReminderOn: input.isReminderOn ?? false }),
    ...(input.reminderMinutesBeforeStart !== undefined && {
      reminderMinutes: input.reminderMinutesBeforeStart ?? DEFAULT_REMINDER_MINUTES,
    }),
    ...(input.responseRequested !== undefined && { responseRequested: input.responseRequested ?? true }),
    ...(input.allowNewTimeProposals !== undefined && { allowNewTimeProposals: input.allowNewTimeProposals ?? true }),
    ...(input.hideAttendees !== undefined && { hideAttendees: input.hideAttendees ?? false }),
  };
  const all = { ...changes, ...onlineFrom(input, { ...before, ...changes }, context) };
  const body = all.body && { body: all.body, bodyPreview: contentPreview(all.body) };
  return differing({ ...all, ...body }, before);
}

/** What differs from what was there. */
function differing(changes: Partial<EventContent>, before: EventContent): Partial<EventContent> {
  const entries = Object.entries(changes).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof EventContent]),
  );
  return Object.fromEntries(entries);
}

/** A time that is the same moment is no change, whatever zone it is written in: clients send back what they were shown in UTC. */
function timesFrom({ start, end, isAllDay }: EventInput, before: EventContent): Partial<EventContent> {
  const days = isAllDay === undefined ? before.isAllDay : (isAllDay ?? false);
  const isSame = (sent: EventContent['start'], known: EventContent['start']): boolean =>
    days === before.isAllDay && (days ? sent.wall === known.wall : instantOf(sent) === instantOf(known));
  return {
    ...(start && !isSame(start.time, before.start) && { start: start.time, startZoneName: start.zoneName }),
    ...(end && !isSame(end.time, before.end) && { end: end.time, endZoneName: end.zoneName }),
    ...(isAllDay !== undefined && { isAllDay: days }),
  };
}

/** One location is all locations; of several, the names stand together in the one. */
function placesFrom({ location, locations }: EventInput): Partial<EventContent> {
  if (locations && (locations.length > 0 || location === undefined)) {
    const [only] = locations;
    return { locations, location: locations.length > 1 ? joined(locations) : (only ?? NO_LOCATION) };
  }
  if (location !== undefined)
    return { location: location ?? NO_LOCATION, locations: location && location.displayName !== '' ? [location] : [] };
  return locations === null ? { location: NO_LOCATION, locations: [] } : {};
}

function joined(locations: readonly Location[]): Location {
  const displayName = locations.map((each) => each.displayName).join('; ');
  return { displayName, locationType: 'default', uniqueId: displayName, uniqueIdType: 'private' };
}

/** The list as a whole; who was on it before keeps the answer. */
function attendeesFrom(
  sent: readonly AttendeeInput[],
  before: readonly Attendee[],
  organizer: string,
): readonly Attendee[] {
  const known = new Map(before.map((attendee) => [attendee.address.toLowerCase(), attendee]));
  return sent
    .filter(({ address }) => address.toLowerCase() !== organizer.toLowerCase())
    .map((attendee) => ({ status: NO_ANSWER, ...known.get(attendee.address.toLowerCase()), ...attendee }));
}

/** Once online, an event stays so, with the provider that it has. */
function onlineFrom(
  { isOnlineMeeting, onlineMeetingProvider }: EventInput,
  content: EventContent,
  { origin, provider }: ChangeContext,
): Partial<EventContent> {
  const sent = onlineMeetingProvider && onlineMeetingProvider !== 'unknown' ? onlineMeetingProvider : undefined;
  if (content.isOnlineMeeting || !isOnlineMeeting)
    return sent && content.onlineMeetingProvider === 'unknown' && !content.isOnlineMeeting
      ? { onlineMeetingProvider: sent }
      : {};
  const kept = content.onlineMeetingProvider === 'unknown' ? undefined : content.onlineMeetingProvider;
  return withOnlineMeeting(content.body, kept ?? sent ?? provider, newOnlineMeeting(origin));
}

/** The server makes a whole document of HTML. */
function wrapped({ contentType, content }: ItemBody): ItemBody {
  if (contentType === 'text' || content === '' || /<html[\s>]/i.test(content)) return { contentType, content };
  const head = '<head>\r\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8">\r\n</head>';
  return { contentType, content: `<html>${head}\r\n<body>\r\n${content}\r\n</body>\r\n</html>\r\n` };
}

/** The same people, whose answers were about another time. */
export const withoutAnswers = (attendees: readonly Attendee[]): readonly Attendee[] =>
  attendees.map(({ name, address, type }) => ({ name, address, type, status: NO_ANSWER }));
