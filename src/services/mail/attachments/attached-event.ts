import { zonedTime } from '../api/values.ts';
import type { CalendarAttendee } from '../ical/types.ts';
import { writeCalendar } from '../ical/write.ts';
import { htmlToText } from '../mime/text.ts';
import type { ZonedTime } from '../zones/wall.ts';
import { SentMembers } from './sent-members.ts';

const ROLES: Readonly<Record<string, string>> = {
  required: 'REQ-PARTICIPANT',
  optional: 'OPT-PARTICIPANT',
  resource: 'NON-PARTICIPANT',
};

/** Rejects an event that cannot be written as a calendar. */
export function checkEvent(sent: Readonly<Record<string, unknown>>, at: string): void {
  const event = new SentMembers(sent);
  for (const name of ['start', 'end']) {
    const value = event.value(name);
    if (value !== undefined && value !== null) zonedTime(value, `${at}/${name}`);
  }
}

/** Writes an event as iCalendar. An event without times is at the time when it was attached. */
export function writeEvent(sent: Readonly<Record<string, unknown>>, uid: string, now: number): string {
  const event = new SentMembers(sent);
  const body = event.object('body');
  const content = body.text('content');
  const isHtml = /^html$/i.test(body.text('contentType'));
  const start = timeOf(event, 'start') ?? { wall: now, zone: 'UTC' };
  const organizer = personOf(event.object('organizer'));
  return writeCalendar({
    method: '',
    productId: '',
    components: [
      {
        uid: event.text('iCalUId') || uid,
        sequence: 0,
        stamp: now,
        start,
        end: timeOf(event, 'end') ?? start,
        isAllDay: event.flag('isAllDay'),
        isFloating: event.flag('isAllDay'),
        rules: [],
        exDates: [],
        dates: [],
        summary: event.text('subject'),
        description: isHtml ? htmlToText(content) : content,
        htmlDescription: isHtml ? content : '',
        location: event.object('location').text('displayName'),
        locations: [],
        ...(organizer && { organizer }),
        attendees: event.objects('attendees').flatMap((each) => attendeeOf(each) ?? []),
        status: 'CONFIRMED',
        classification: /^(private|personal)$/i.test(event.text('sensitivity')) ? 'PRIVATE' : 'PUBLIC',
        transparency: /^free$/i.test(event.text('showAs')) ? 'TRANSPARENT' : 'OPAQUE',
        disallowCounter: false,
        comment: '',
        categories: event.texts('categories'),
        requestStatus: [],
        attachments: [],
      },
    ],
  });
}

function timeOf(event: SentMembers, name: string): ZonedTime | undefined {
  const value = event.value(name);
  return value === undefined || value === null ? undefined : zonedTime(value, name);
}

function personOf(recipient: SentMembers): { readonly name: string; readonly address: string } | undefined {
  const email = recipient.object('emailAddress');
  const address = email.text('address');
  return address === '' ? undefined : { name: email.text('name'), address };
}

function attendeeOf(attendee: SentMembers): CalendarAttendee | undefined {
  const person = personOf(attendee);
  const type = attendee.text('type').toLowerCase();
  return (
    person && {
      ...person,
      role: ROLES[type] ?? 'REQ-PARTICIPANT',
      partStat: 'NEEDS-ACTION',
      cuType: type === 'resource' ? 'RESOURCE' : 'INDIVIDUAL',
      delegatedTo: [],
      delegatedFrom: [],
    }
  );
}
