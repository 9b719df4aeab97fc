import { type Answer, html, page } from '../../../kernel/http/index.ts';
import { MEETING_ID, meetingId } from '../calendar/online-meeting.ts';
import { onlineMeetings } from '../calendar/online-meetings.ts';
import type { CalendarEvent, EventContent } from '../calendar/types.ts';
import { events } from '../collections.ts';
import { errors } from '../errors.ts';
import type { MailJar } from '../jar.ts';
import { itemKey } from '../mailbox/create.ts';
import { formatDate, formatWall, type ZonedTime } from '../zones/wall.ts';

/**
 * The page at the `joinUrl` of an online meeting. It shows the content of the invitation without authentication, since only invitees know
 * the URL.
 */
export async function showMeeting(jar: MailJar, id: string): Promise<Answer> {
  const place = MEETING_ID.test(id) ? (await jar.store.get(onlineMeetings, id))?.value : undefined;
  const event = place && (await jar.store.get(events, itemKey(place.mailbox, place.event)))?.value;
  const content = event && contentOf(event, id);
  if (!event || !content?.onlineMeeting || event.isCancelled) throw errors.ErrorItemNotFound__Meeting();
  const { start, end, isAllDay, startZoneName, endZoneName } = content;
  const isSecret = content.sensitivity === 'private' || content.sensitivity === 'confidential';
  return page({
    title: 'Online meeting',
    content: html`<h1>${isSecret || content.subject === '' ? 'Online meeting' : content.subject}</h1>
<dl>
<dt>Organizer</dt><dd>${event.organizer.name}</dd>
<dt>${event.series && content === event ? 'First time' : 'Time'}</dt>
<dd>${moment(start, startZoneName, isAllDay)} to ${moment(end, endZoneName, isAllDay)}</dd>
<dt>Conference ID</dt><dd>${content.onlineMeeting.conferenceId ?? ''}</dd>
</dl>
<p>This jar keeps the meeting in its calendars but has no audio or video.</p>`,
  });
}

/** Content of the series, or of the occurrence with this meeting. */
function contentOf(event: CalendarEvent, id: string): EventContent | undefined {
  const isIt = ({ onlineMeeting }: Partial<EventContent>): boolean =>
    onlineMeeting !== undefined && meetingId(onlineMeeting) === id;
  if (isIt(event)) return event;
  const own = Object.values(event.series?.exceptions ?? {}).find(isIt);
  return own && { ...event, ...own };
}

const moment = ({ wall }: ZonedTime, zone: string, isAllDay: boolean): string =>
  isAllDay ? formatDate(wall) : `${formatWall(wall).slice(0, 16).replace('T', ' ')} (${zone})`;
