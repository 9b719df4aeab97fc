import { etag } from '../../../kernel/ids/index.ts';
import { DAY_MS } from '../../../kernel/time/index.ts';
import { automaticReplies } from '../collections.ts';
import { itemKey } from '../mailbox/create.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { newMessageId, ownerOf } from '../messages/draft.ts';
import type { Address, Message } from '../messages/types.ts';
import { carriedCalendar } from '../mime/carried-calendar.ts';
import { isMailAddress } from '../mime/mail-address.ts';
import { htmlToText } from '../mime/text.ts';
import { composeMail } from '../mime/write.ts';
import { applyRules } from '../rules/apply.ts';
import { queueMail } from '../sending/queue.ts';
import { automaticReplyFor } from '../settings/automatic-reply.ts';
import type { IncomingMail } from './incoming.ts';

/** Minimum time between automatic replies to the same sender. */
const SHORTEST_REPLY_INTERVAL_MS = DAY_MS;
/**
 * Each mailbox forwards a mail once, and a chain of mailboxes is bounded. Otherwise, rules of two mailboxes could forward a mail to each
 * other endlessly, with more copies each time.
 */
const MOST_HOPS = 10;
const HOP = 'X-Cloudjar-Forwarded';

/** Applies the forwarding rules of a mailbox to a delivered mail. */
export async function followRules(writer: MailboxWriter, message: Message, incoming: IncomingMail): Promise<void> {
  const { redirectTo, forwardTo, forwardAsAttachmentTo } = await applyRules(writer, message);
  const hops = hopsOf(incoming);
  if (hops.length >= MOST_HOPS || hops.includes(writer.mailbox.address.toLowerCase())) return;
  if (redirectTo.length > 0) await redirect(writer, incoming, redirectTo);
  if (forwardTo.length > 0) await forward(writer, message, incoming, forwardTo, false);
  if (forwardAsAttachmentTo.length > 0) await forward(writer, message, incoming, forwardAsAttachmentTo, true);
}

/** The mailboxes that have forwarded a mail. */
const hopsOf = ({ parsed }: Pick<IncomingMail, 'parsed'>): readonly string[] =>
  parsed.headers
    .filter(({ name }) => name.toLowerCase() === HOP.toLowerCase())
    .map(({ value }) => value.trim().toLowerCase());

/** RFC 3834: never replies to programs, nor repeatedly to the same sender. */
export async function replyAutomatically(writer: MailboxWriter, incoming: IncomingMail): Promise<void> {
  const { tx, mailbox, now } = writer;
  const { autoSubmitted, headers, subject, messageId: answered } = incoming.parsed;
  const [from] = incoming.parsed.from;
  const isBulk = headers.some(({ name }) =>
    /^(list-id|list-unsubscribe|precedence|x-auto-response-suppress)$/i.test(name),
  );
  if (!from || incoming.envelopeFrom === '' || isBulk || (autoSubmitted !== undefined && autoSubmitted !== 'no'))
    return;
  if (!isMailAddress(from.address) || from.address.toLowerCase() === mailbox.address.toLowerCase()) return;
  const domain = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  const content = automaticReplyFor(mailbox.settings, now, domain(from.address) === domain(mailbox.address));
  if (content === undefined) return;
  const key = itemKey(mailbox.id, from.address.toLowerCase().slice(0, 500));
  const last = (await tx.get(automaticReplies, key))?.value;
  if (last && now - last.at < SHORTEST_REPLY_INTERVAL_MS) return;
  await tx.put(automaticReplies, key, { at: now });
  const messageId = newMessageId(mailbox.address);
  const line = `Automatic reply: ${subject}`;
  const raw = composeMail({
    from: ownerOf(mailbox),
    to: [from],
    subject: line,
    date: now,
    messageId,
    ...(answered !== undefined && { inReplyTo: answered, references: [answered] }),
    autoSubmitted: 'auto-replied',
    text: htmlToText(content),
    html: content,
    boundary: etag(),
  });
  await queueMail(writer, { raw, from: '', to: [from.address], subject: line, messageId });
}

/** Redirects the mail unchanged, with a header that records this mailbox. */
async function redirect(
  writer: MailboxWriter,
  { raw, parsed, envelopeFrom }: IncomingMail,
  to: readonly Address[],
): Promise<void> {
  const marked = Buffer.concat([Buffer.from(`${HOP}: ${writer.mailbox.address}\r\n`), raw]);
  const messageId = parsed.messageId ?? newMessageId(writer.mailbox.address);
  await queueMail(writer, {
    raw: marked,
    from: envelopeFrom,
    to: to.map(({ address }) => address),
    subject: parsed.subject,
    messageId,
  });
}

async function forward(
  writer: MailboxWriter,
  { subject, internetMessageId, meeting }: Message,
  incoming: IncomingMail,
  to: readonly Address[],
  isAttached: boolean,
): Promise<void> {
  const { mailbox, now } = writer;
  const { raw, parsed } = incoming;
  const messageId = newMessageId(mailbox.address);
  const line = /^fw:/i.test(subject) ? subject : `FW: ${subject}`;
  const isRequest = meeting?.kind === 'eventMessageRequest';
  const hops = hopsOf(incoming).map((value) => ({ name: HOP, value }));
  const original = {
    name: `${subject || 'message'}.eml`,
    contentType: 'message/rfc822',
    isInline: false,
    bytes: raw,
    isMessage: true,
  };
  // The recipient of a forwarded invitation is invited.
  const request = isAttached || !isRequest ? undefined : carriedCalendar(parsed, mailbox.settings.zone);
  const mail = composeMail({
    from: ownerOf(mailbox),
    to,
    subject: line,
    date: now,
    messageId,
    references: [internetMessageId],
    headers: [...hops, { name: HOP, value: mailbox.address }],
    text: isAttached ? '' : (parsed.text ?? htmlToText(parsed.html ?? '')),
    ...(!isAttached && parsed.html !== undefined && { html: parsed.html }),
    ...(request && { calendar: request.calendar }),
    attachments: isAttached ? [original] : (request?.attachments ?? parsed.attachments),
    boundary: etag(),
  });
  await queueMail(writer, {
    raw: mail,
    from: mailbox.address,
    to: to.map(({ address }) => address),
    subject: line,
    messageId,
  });
}
