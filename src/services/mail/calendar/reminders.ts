import { type Answer, ok } from '../../../kernel/http/index.ts';
import { MINUTE_MS } from '../../../kernel/time/index.ts';
import { parameters } from '../api/fields.ts';
import type { MailCall } from '../api/request.ts';
import { baseOf } from '../api/show.ts';
import { shownTime, zonedTime } from '../api/values.ts';
import { errors } from '../errors.ts';
import { changeKeyOf } from '../mailbox/ids.ts';
import { changeMailbox } from '../mailbox/writer.ts';
import { shownLocation } from '../messages/location.ts';
import { findEvent } from './find.ts';
import { eventsWithin } from './in-window.ts';
import { instantOf, spanOf } from './times.ts';
import { type CalendarEvent, isOccurrence, type Occurrence, type ReminderState } from './types.ts';
import { eventView } from './view.ts';
import { dayZoneOf, readWindow } from './window.ts';
import { updateEvent } from './write.ts';

/** Reminders of events: list, dismiss and snooze. */

/** Key of the state that applies to every occurrence without a state of its own. */
const WHOLE = '';
/** Reminder states kept for one event. The oldest days are dropped first, since their reminders are long past. */
const MOST_KEPT = 500;

export const dismissReminder = (call: MailCall): Promise<Answer> => keepReminder(call, {});

export function snoozeReminder(call: MailCall): Promise<Answer> {
  const { newReminderTime } = parameters('snoozeReminder', { newReminderTime: zonedTime }, call.json());
  if (!newReminderTime)
    throw errors.ErrorInvalidParameter(
      { reason: "The parameter 'newReminderTime' is required." },
      { target: 'newReminderTime' },
    );
  return keepReminder(call, { snoozedTo: instantOf(newReminderTime) });
}

const keepReminder = (call: MailCall, state: ReminderState): Promise<Answer> =>
  changeMailbox(call.jar, call.mailbox, async (writer) => {
    const { event, day = WHOLE } = await findEvent(call, writer.tx);
    const entries = Object.entries({ ...event.reminders, [day]: state }).sort(([a], [b]) => (a < b ? -1 : 1));
    const kept = entries.filter(([key], at) => key === WHOLE || key === day || at >= entries.length - MOST_KEPT);
    await updateEvent(writer, event, { reminders: Object.fromEntries(kept) });
    return { status: 200 };
  });

/** Lists the reminders of the events within a window, in the order of the events. */
export async function listReminders(call: MailCall): Promise<Answer> {
  const window = readWindow(call);
  const where = { op: 'eq', field: 'mailbox', value: call.mailbox.id } as const;
  const found = await eventsWithin(call.jar.store, where, window, dayZoneOf(call));
  return ok({
    '@odata.context': `${baseOf(call)}/$metadata#Collection(microsoft.graph.reminder)`,
    value: found.flatMap((event) => reminderView(call, event) ?? []),
  });
}

function reminderView(call: MailCall, event: CalendarEvent | Occurrence): Record<string, unknown> | undefined {
  const day = isOccurrence(event) ? event.day : WHOLE;
  const state = event.reminders?.[day] ?? event.reminders?.[WHOLE];
  if (!event.isReminderOn || (state && state.snoozedTo === undefined)) return undefined;
  const { id, webLink, start, end } = eventView(call, event);
  const fires = state?.snoozedTo ?? spanOf(event, dayZoneOf(call)).from - event.reminderMinutes * MINUTE_MS;
  return {
    eventId: id,
    eventStartTime: start,
    eventEndTime: end,
    changeKey: changeKeyOf(event.uid, event.number),
    eventSubject: event.subject,
    eventLocation: shownLocation(event.location),
    eventWebLink: webLink,
    reminderFireTime: shownTime({ wall: fires, zone: 'UTC' }, call.prefer),
  };
}
