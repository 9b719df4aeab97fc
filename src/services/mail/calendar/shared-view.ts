import type { MailCall } from '../api/request.ts';
import { NO_LOCATION } from '../messages/location.ts';
import { NO_BODY } from './changes.ts';
import type { CalendarEvent, EventContent } from './types.ts';

/** What somebody sees of an event in a calendar that another has shared. */

type Looker = Pick<MailCall, 'sharing'>;

const PRIVATE_SUBJECT = 'Private Appointment';

/** A private event is shown to those alone whom the owner trusts with it. */
export const isHidden = ({ sharing }: Looker, { sensitivity, calendar }: CalendarEvent): boolean =>
  sharing !== undefined &&
  (sensitivity === 'private' || sensitivity === 'confidential') &&
  sharing.calendars.get(calendar) !== 'delegateWithPrivateEventAccess';

/** Whether more than the time, the title and the place of an event is shown. */
export function showsContent(call: Looker, event: CalendarEvent): boolean {
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

export function sharedContent<E extends CalendarEvent>(call: Looker, event: E): E {
  const role = call.sharing?.calendars.get(event.calendar);
  if (role === undefined) return event;
  if (isHidden(call, event))
    return { ...event, ...NOTHING_MORE, subject: PRIVATE_SUBJECT, location: NO_LOCATION, locations: [] };
  // Titles, places and times.
  return showsContent(call, event) ? event : { ...event, ...NOTHING_MORE };
}
