import { type Answer, created } from '../../../kernel/http/index.ts';
import { readAll } from '../../../kernel/store/index.ts';
import { changeForCaller } from '../api/change.ts';
import { mistake } from '../api/fields.ts';
import { DEFAULT_CALENDAR } from '../api/path.ts';
import type { MailCall } from '../api/request.ts';
import { attachedFields, putNewAttachments } from '../attachments/add.ts';
import { type NewAttachment, readAttachments } from '../attachments/input.ts';
import { events } from '../collections.ts';
import { errors } from '../errors.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { sendRequest } from '../meetings/outgoing.ts';
import { extrasOf } from '../messages/extras.ts';
import { NO_LOCATION } from '../messages/location.ts';
import { calendarNamed, placedCalendar } from './calendars/find.ts';
import { changesFrom, DEFAULT_REMINDER_MINUTES, NO_BODY } from './changes.ts';
import { eventEntity } from './entity.ts';
import { newICalUid } from './ical-uid.ts';
import { type EventInput, eventInput } from './input.ts';
import { recurringFrom } from './recurring.ts';
import { checkTimes } from './time-rules.ts';
import type { Calendar, CalendarEvent, EventContent, EventSeries } from './types.ts';
import { createEvent } from './write.ts';

/** Creates an event in the calendar that the path names, or in the default calendar, and invites its attendees. */
export function postEvent(call: MailCall): Promise<Answer> {
  const input = eventInput(call.json(), '');
  const files = readAttachments(input.attachments);
  const content = { ...contentFrom(call, input), ...attachedFields(files) };
  return changeForCaller(call, async (writer) => {
    const calendar =
      (await placedCalendar(call, writer.tx)) ?? (await calendarNamed(call, writer.tx, DEFAULT_CALENDAR));
    const known = await createdBefore(call, writer, input.transactionId, calendar);
    const event = known ?? (await createFrom(call, writer, input, content, calendar, files));
    const body = eventEntity(call, event);
    return created(body, {
      location: `${call.origin}/${call.version}/users('${call.mailbox.id}')/events('${body.id}')`,
      etag: String(body['@odata.etag']),
    });
  });
}

type NewContent = EventContent & { readonly series?: EventSeries };

function contentFrom(call: MailCall, input: EventInput): NewContent {
  const { start, end } = input;
  for (const [name, value] of [['start', start] as const, ['end', end] as const])
    if (!value) throw mistake(name, 'it is required');
  if (!start || !end) throw mistake('start', 'it is required');
  const plain: EventContent = {
    subject: '',
    body: NO_BODY,
    bodyPreview: '',
    start: start.time,
    end: end.time,
    startZoneName: start.zoneName,
    endZoneName: end.zoneName,
    isAllDay: false,
    location: NO_LOCATION,
    locations: [],
    attendees: [],
    importance: 'normal',
    sensitivity: 'normal',
    showAs: 'busy',
    categories: [],
    isReminderOn: true,
    reminderMinutes: DEFAULT_REMINDER_MINUTES,
    responseRequested: true,
    allowNewTimeProposals: true,
    hideAttendees: false,
    isOnlineMeeting: false,
    onlineMeetingProvider: 'unknown',
    hasAttachments: false,
  };
  const context = { organizer: call.mailbox.address, provider: 'unknown', origin: call.origin } as const;
  const content = { ...plain, ...changesFrom(input, plain, context) };
  checkTimes(content);
  if (input.recurrence === undefined || input.recurrence === null) return content;
  return { ...content, ...recurringFrom(input.recurrence, content, content.startZoneName) };
}

async function createFrom(
  call: MailCall,
  writer: MailboxWriter,
  input: EventInput,
  content: NewContent,
  calendar: Calendar,
  files: readonly NewAttachment[],
): Promise<CalendarEvent> {
  const { mailbox, now } = writer;
  const provider = content.onlineMeetingProvider;
  const event = await createEvent(writer, {
    ...content,
    ...extrasOf(input),
    onlineMeetingProvider:
      content.isOnlineMeeting && provider === 'unknown' ? calendar.defaultOnlineMeetingProvider : provider,
    calendar: calendar.uid,
    iCalUid: newICalUid(now),
    isOrganizer: true,
    organizer: { name: mailbox.displayName, address: mailbox.address },
    response: { response: 'organizer' },
    isCancelled: false,
    sequence: 0,
    stamp: now,
    intendedShowAs: content.showAs,
    ...(input.transactionId && {
      transactionId: input.transactionId,
      transactionApplication: call.caller.applicationId.toLowerCase(),
    }),
  });
  await putNewAttachments(writer, writer.key(event.uid), event.body, files);
  if (event.attendees.length > 0) await sendRequest(writer, event, { to: event.attendees });
  return event;
}

/** The event of an earlier request with the same `transactionId`. A client that got no response sends its request again. */
async function createdBefore(
  { caller, mailbox }: MailCall,
  { tx }: MailboxWriter,
  id: string | null | undefined,
  calendar: Calendar,
): Promise<CalendarEvent | undefined> {
  if (!id) return undefined;
  const application = caller.applicationId.toLowerCase();
  const found = await readAll(tx, events, {
    filter: {
      op: 'and',
      args: [
        { op: 'eq', field: 'mailbox', value: mailbox.id },
        { op: 'eq', field: 'transactionId', value: id },
      ],
    },
  });
  const known = found.find(({ value }) => value.transactionApplication === application)?.value;
  if (known && known.calendar !== calendar.uid)
    throw errors.ErrorDuplicateTransactionId({ id }, { target: 'transactionId' });
  return known;
}
