import { type Answer, accepted } from '../../../kernel/http/index.ts';
import { actorOf } from '../access/sharing.ts';
import { nullable, parameters } from '../api/fields.ts';
import type { MailCall } from '../api/request.ts';
import { recipients } from '../api/values.ts';
import { errors } from '../errors.ts';
import { MOST_RECIPIENTS } from '../limits.ts';
import { sendRequest } from '../meetings/outgoing.ts';
import type { Address } from '../messages/types.ts';
import { checkAddresses } from '../sending/addresses.ts';
import { findEvent } from './find.ts';
import { addToOrganizersEvent, mailboxOf, sendForwardNotice, writingBoth } from './forward-notice.ts';
import { withInvited } from './invited.ts';
import { COMMENT } from './remove.ts';

const PREFIX = 'FW: ';
const FIELDS = { comment: COMMENT, toRecipients: nullable(recipients) };

/**
 * Invites further people to a meeting and adds them to the attendees of the organizer's event. If an invitee forwards, the organizer gets a
 * notice.
 */
export async function forwardEvent(call: MailCall): Promise<Answer> {
  const { comment, toRecipients } = parameters('forward', FIELDS, call.json());
  const to = toRecipients ?? [];
  checkForwarded(to);
  const { event: seen } = await findEvent(call);
  const organizers = seen.isOrganizer ? undefined : await mailboxOf(call.jar, seen.organizer.address);
  return writingBoth(
    call.jar,
    call.mailbox,
    organizers,
    async (writer, theirs) => {
      const found = await findEvent(call, writer.tx);
      const { day, item } = found;
      const isOwn = found.event.isOrganizer;
      const event = isOwn ? await withInvited(writer, found.event, day, item, to) : found.event;
      const of = { ...(comment && { comment }), ...(day !== undefined && { day }) };
      await sendRequest(writer, event, { to, prefix: PREFIX, ...of });
      if (!isOwn) await sendForwardNotice(writer, found, to);
      if (theirs) await addToOrganizersEvent(theirs, found, to);
      return accepted();
    },
    actorOf(call),
  );
}

function checkForwarded(to: readonly Address[]): void {
  if (to.length === 0 || to.some(({ address }) => address === ''))
    throw errors.ErrorInvalidRecipients(
      { reason: "At least one recipient isn't valid: 'toRecipients' needs addresses." },
      { target: 'toRecipients' },
    );
  if (to.length > MOST_RECIPIENTS)
    throw errors.ErrorExceededMaxRecipientLimit({ maximum: MOST_RECIPIENTS, count: to.length });
  checkAddresses(to, 'toRecipients');
}
