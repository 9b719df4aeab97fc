import { etag } from '../../../kernel/ids/index.ts';
import { parseIncoming } from '../intake/incoming.ts';
import { messageOf } from '../intake/message-of.ts';
import type { Mailbox } from '../mailbox/types.ts';
import { sentMeeting } from '../meetings/sent.ts';
import { findInvitation } from '../mime/invitation.ts';
import { isProblem } from '../mime/problem.ts';
import type { MailAttachment } from '../mime/types.ts';
import { DEEPEST_ITEM, MOST_SHOWN_BYTES } from './limits.ts';
import type { ItemContent, NestedAttachment } from './types.ts';

/** Nested mails are parsed at each level; the budget bounds the cost of a hostile one. */
interface Budget {
  bytes: number;
}

/** Parses a mail that is attached to another one (`message/rfc822`), when it is read. Returns undefined if it is not a mail. */
export const parsedItem = (mailbox: Mailbox, bytes: Buffer, at: number): ItemContent | undefined =>
  parsed(mailbox, bytes, at, 1, { bytes: MOST_SHOWN_BYTES });

function parsed(mailbox: Mailbox, bytes: Buffer, at: number, depth: number, budget: Budget): ItemContent | undefined {
  budget.bytes -= bytes.length;
  if (depth > DEEPEST_ITEM || budget.bytes < 0) return undefined;
  const incoming = parseIncoming(bytes, '', '');
  if (isProblem(incoming)) return undefined;
  const invitation = findInvitation(incoming.parsed, mailbox.settings.zone);
  const found = invitation && !isProblem(invitation) ? invitation : undefined;
  const meeting = found && sentMeeting(found.calendar, at);
  const { attachments } = meeting && found ? found : incoming.parsed;
  const message = {
    ...messageOf({ mailbox, now: at }, incoming, attachments),
    ...(meeting && { meeting }),
    uid: etag(),
    mailbox: mailbox.id,
    folder: '',
    generation: 0,
    number: 0,
    createdNumber: 0,
    createdAt: at,
    modifiedAt: at,
    receivedAt: incoming.parsed.date ?? at,
    isRead: true,
  };
  const nested = attachments.map((each, position) => nestedOf(mailbox, each, position, at, depth + 1, budget));
  return { type: 'message', message, attachments: nested };
}

function nestedOf(
  mailbox: Mailbox,
  { name, contentType, contentId, contentLocation, isInline, bytes, isMessage }: MailAttachment,
  position: number,
  modifiedAt: number,
  depth: number,
  budget: Budget,
): NestedAttachment {
  const common = { uid: etag(), position, name, contentType, isInline, size: bytes.length, modifiedAt };
  const content = isMessage ? parsed(mailbox, bytes, modifiedAt, depth, budget) : undefined;
  if (content) return { attachment: { ...common, kind: 'item', item: { type: 'message', form: 'mime' } }, content };
  return {
    attachment: {
      ...common,
      kind: 'file',
      ...(contentId !== undefined && { contentId }),
      ...(contentLocation !== undefined && { contentLocation }),
    },
    bytes: bytes.toString('base64'),
  };
}
