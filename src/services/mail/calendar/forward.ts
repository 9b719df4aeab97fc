import { type Answer, accepted } from '../../../kernel/http/index.ts';
import { nullable, parameters } from '../api/fields.ts';
import type { MailCall } from '../api/request.ts';
import { recipients } from '../api/values.ts';
import { errors } from '../errors.ts';
import { MOST_RECIPIENTS } from '../limits.ts';
import { changeMailbox, type MailboxWriter } from '../mailbox/writer.ts';
import { sendRequest } from '../meetings/outgoing.ts';
import type { Address } from '../messages/types.ts';
import { isMaster } from './content.ts';
import { type FoundEvent, findEvent } from './find.ts';
import { nextStamp } from './invite.ts';
import { COMMENT } from './remove.ts';
import type { Attendee, CalendarEvent } from './types.ts';
import { putException } from './update-occurrence.ts';
import { updateEvent } from './write.ts';

const PREFIX = 'FW: ';
const FIELDS = { comment: COMMENT, toRecipients: nullable(recipients) };

/** Invites others to a meeting. Those whom its organizer forwards it to are attendees from then on. */
export function forwardEvent(call: MailCall): Promise<Answer> {
  const { comment, toRecipients } = parameters('forward', FIELDS, call.json());
  const to = toRecipients ?? [];
  checkForwarded(to);
  return changeMailbox(call.jar, call.mailbox, async (writer) => {
    const found = await findEvent(call, writer.tx);
    const { day } = found;
    const event = found.event.isOrganizer ? await invited(writer, found, to) : found.event;
    const of = { ...(comment && { comment }), ...(day !== undefined && { day }) };
    await sendRequest(writer, event, { to, prefix: PREFIX, ...of });
    return accepted();
  });
}

function checkForwarded(to: readonly Address[]): void {
  if (to.length === 0 || to.some(({ address }) => address === ''))
    throw errors.ErrorInvalidRecipients(
      { reason: "At least one recipient isn't valid: 'toRecipients' needs addresses." },
      { target: 'toRecipients' },
    );
  if (to.length > MOST_RECIPIENTS)
    throw errors.ErrorExceededMaxRecipientLimit({ maximum: MOST_RECIPIENTS, count: to.length });
}

async function invited(
  writer: MailboxWriter,
  { event, day, item }: FoundEvent,
  to: readonly Address[],
): Promise<CalendarEvent> {
  const known = new Set([event.organizer, ...item.attendees].map(({ address }) => address.toLowerCase()));
  const added: Attendee[] = [];
  for (const { name, address } of to) {
    if (known.has(address.toLowerCase())) continue;
    known.add(address.toLowerCase());
    added.push({ name, address, type: 'required', status: { response: 'none' } });
  }
  if (added.length === 0) return event;
  const attendees = [...item.attendees, ...added];
  if (attendees.length > MOST_RECIPIENTS)
    throw errors.ErrorExceededMaxRecipientLimit__Attendees({ maximum: MOST_RECIPIENTS, count: attendees.length });
  if (day !== undefined && isMaster(event))
    return putException(writer, event, day, { attendees, stamp: nextStamp(item, writer.now) });
  return updateEvent(writer, event, { attendees, stamp: nextStamp(item, writer.now) });
}
