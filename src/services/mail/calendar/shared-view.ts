import type { MailCall } from '../api/request.ts';
import { NO_LOCATION } from '../messages/location.ts';
import { NO_BODY } from './changes.ts';
import type { CalendarEvent, EventContent } from './types.ts';

/** Which content of an event a caller sees in another user's shared calendar. */

type CalendarViewer = Pick<MailCall, 'sharing'>;

const PRIVATE_SUBJECT = 'Private Appointment';

/** A private event is visible only to a delegate with access to private events. */
export const isHidden = ({ sharing }: CalendarViewer, { sensitivity, calendar }: CalendarEvent): boolean =>
  sharing !== undefined &&
  (sensitivity === 'private' || sensitivity === 'confidential') &&
  sharing.calendars.get(calendar) !== 'delegateWithPrivateEventAccess';

/** True if the caller sees more than time, title and location of an event. */
export function showsContent(call: CalendarViewer, event: CalendarEvent): boolean {
  const role = call.sharing?.calendars.get(event.calendar);
  return role !== 'limitedRead' && role !== 'custom' && !isHidden(call, event);
}

const NOTHING_MORE: Partial<EventContent> = {
  body: NO_BODY,
  bodyPreview: '',
  attendees: [],
  categories: [],
  onlineMeeting: undefined,
  hasAttachments: false,
};

export function sharedContent<E extends CalendarEvent>(call: CalendarViewer, event: E): E {
  const role = call.sharing?.calendars.get(event.calendar);
  if (role === undefined) return event;
  if (isHidden(call, event))
    return { ...event, ...NOTHING_MORE, subject: PRIVATE_SUBJECT, location: NO_LOCATION, locations: [] };
  // A limited role sees titles, locations and times.
  return showsContent(call, event) ? event : { ...event, ...NOTHING_MORE };
}
