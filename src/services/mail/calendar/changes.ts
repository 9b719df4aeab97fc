import { contentPreview } from '../api/content.ts';
import { NO_LOCATION } from '../messages/location.ts';
import type { ItemBody, Location } from '../messages/types.ts';
import type { AttendeeInput, EventInput } from './input.ts';
import { newOnlineMeeting, withOnlineMeeting } from './online-meeting.ts';
import { instantOf } from './times.ts';
import type { Attendee, EventContent, MeetingProvider, ResponseStatus } from './types.ts';

/** Converts an event that a client sent to changes of the stored event. */

export interface ChangeContext {
  /** The organizer's address. The organizer is never an attendee of the event. */
  readonly organizer: string;
  /** Provider of a new online meeting if the request names none. */
  readonly provider: MeetingProvider;
  /** For example `https://localhost:7443`; the join URL of an online meeting begins with it. */
  readonly origin: string;
}

export const DEFAULT_REMINDER_MINUTES = 15;
export const NO_BODY: ItemBody = { contentType: 'html', content: '' };
const NO_ANSWER: ResponseStatus = { response: 'none' };

/** The stored content for the properties that the client sent, without those that are unchanged. */
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

/** Only the changes that differ from the stored content. */
function differing(changes: Partial<EventContent>, before: EventContent): Partial<EventContent> {
  const entries = Object.entries(changes).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof EventContent]),
  );
  return Object.fromEntries(entries);
}

/** A time that is the same instant is not a change, whatever its zone: clients send back the times that they got in UTC. */
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

/** A single `location` also becomes the list `locations`. For several locations, `location` has all names, joined with "; ". */
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

/** Replaces the whole list. Attendees who were already on it keep their response. */
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

/** An online meeting stays online and keeps its provider. */
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

/** The service stores an HTML body as a complete HTML document. */
function wrapped({ contentType, content }: ItemBody): ItemBody {
  if (contentType === 'text' || content === '' || /<html[\s>]/i.test(content)) return { contentType, content };
  const head = '<head>\r\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8">\r\n</head>';
  return { contentType, content: `<html>${head}\r\n<body>\r\n${content}\r\n</body>\r\n</html>\r\n` };
}

/** The same attendees without their responses, which were about the former time. */
export const withoutAnswers = (attendees: readonly Attendee[]): readonly Attendee[] =>
  attendees.map(({ name, address, type }) => ({ name, address, type, status: NO_ANSWER }));
