import type { Notice } from '../../../kernel/notices/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import type { Invitation, Share } from '../collections.ts';
import { NAMESPACE } from '../types.ts';

/** The sender name of mail from this service. */
export const SENDER = 'Data sharing';

/** The mail to a recipient with an email address. Returns undefined for a recipient with a directory id. */
export function invitationNotice(
  { addressee, sender, uid, home, expirationDate }: Invitation,
  { name, description, terms }: Share,
  tenantId: string,
): Notice | undefined {
  if (!('email' in addressee)) return undefined;
  const { email } = sender;
  const lines = [
    `${sender.name} (${sender.tenantName}) invites you to receive the data share '${name}'.`,
    '',
    ...(description === undefined ? [] : [`Description: ${description}`]),
    ...(terms === undefined ? [] : [`Terms of use: ${terms}`]),
    `Invitation: ${uid}`,
    `Location: ${home.location}`,
    ...(expirationDate === undefined ? [] : [`Accept before: ${isoTime(expirationDate)}`]),
    '',
    `To accept, create a share subscription in an account of yours (${NAMESPACE}/accounts/shareSubscriptions) with this invitationId and sourceShareLocation.`,
    `To reject, post the invitationId to /providers/${NAMESPACE}/locations/${home.location}/rejectInvitation.`,
    '',
  ];
  return {
    tenantId,
    sender: SENDER,
    ...(email !== undefined && { replyTo: { name: sender.name, address: email } }),
    to: addressee.email,
    subject: `${sender.name} wants to share data with you: ${name}`,
    text: lines.join('\n'),
  };
}
