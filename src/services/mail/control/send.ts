import { Type } from 'typebox';
import { created, isJsonType } from '../../../kernel/http/index.ts';
import { etag } from '../../../kernel/ids/index.ts';
import { allOf, eq } from '../../../kernel/store/index.ts';
import { messages } from '../collections.ts';
import { readCalendar } from '../ical/read.ts';
import { receiveMail, SERVER_NAME, targetOf } from '../intake/receive.ts';
import { type MailHttpCall, type MailJar, routeCode } from '../jar.ts';
import { newMessageId } from '../messages/draft.ts';
import { MailValueError } from '../mime/errors.ts';
import { isProblem } from '../mime/problem.ts';
import { readMail } from '../mime/read.ts';
import type { MailAddress } from '../mime/types.ts';
import { composeMail } from '../mime/write.ts';
import { mailDate } from '../smtp/received-header.ts';
import { localRecipients, readAddresses } from './addresses.ts';
import { mailControlErrors } from './errors.ts';
import { calendarOf } from './invitation.ts';
import { invalid, MailOrder, readOrder } from './mail-order.ts';

/** A mail with its envelope, before it is received. */
interface Posted {
  readonly raw: Buffer;
  readonly from: string;
  readonly recipients: readonly string[];
  readonly messageId: string;
}

/** Default sender. Its domain is reserved for examples (RFC 2606). */
const DEFAULT_SENDER: MailAddress = { name: '', address: 'sender@example.com' };

const SentView = Type.Object({
  messageId: Type.String(),
  recipients: Type.Array(
    Type.Object({
      address: Type.String(),
      mailbox: Type.String({ description: 'The address of the mailbox that got it' }),
      id: Type.Union([Type.String(), Type.Null()], {
        description: 'The message in that mailbox; null if a rule removed it at once, or if only delegates got it',
      }),
    }),
  ),
});

/** Delivers mail to mailboxes of the jar in the same way as mail that arrives by SMTP. */
export const sendMail = routeCode([], {
  query: Type.Object(
    {
      from: Type.Optional(Type.String({ description: 'The sender in the envelope of a mail that is sent as MIME' })),
      recipients: Type.Optional(
        Type.Array(Type.String(), {
          description: 'Recipients of a mail that is sent as MIME; the default is all recipients in its header',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  jsonInBytes: MailOrder,
  responses: { 201: SentView },
  async handle({ jar, headers, body, query, remoteAddress }) {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    const { messageSizeLimit } = await jar.settings.current();
    checkSize(bytes, messageSizeLimit);
    const posted = isJsonType(String(headers['content-type'] ?? 'application/json'))
      ? await composed(jar, bytes)
      : await completeMail(jar, bytes, query);
    checkSize(posted.raw, messageSizeLimit);
    await receive(jar, posted, remoteAddress);
    return created(await sentView(jar, posted));
  },
});

/** The API's limit, for both the request body and the mail made from it. */
function checkSize({ length }: Buffer, maximum: number): void {
  if (length > maximum) throw mailControlErrors.MailTooLarge({ size: length, maximum });
}

/** Composes a mail from JSON. */
async function composed(jar: MailJar, bytes: Buffer): Promise<Posted> {
  const order = await readOrder(bytes);
  const { subject = '', text, html, meeting, attachments = [] } = order;
  const [to, cc, bcc] = [
    await readAddresses(jar, order.to, 'to'),
    await readAddresses(jar, order.cc, 'cc'),
    await readAddresses(jar, order.bcc, 'bcc'),
  ];
  const named = await readAddresses(jar, order.recipients, 'recipients');
  const recipients = await localRecipients(
    jar,
    named.length > 0 ? named : [...to, ...cc, ...bcc],
    named.length > 0 ? 'recipients' : 'to',
  );
  if (recipients.length === 0) throw mailControlErrors.RecipientMissing({ hint: "name one in 'to'" }, { target: 'to' });
  const [organizer] = await readAddresses(jar, meeting?.organizer, 'meeting.organizer');
  const [from = organizer ?? DEFAULT_SENDER] = await readAddresses(jar, order.from, 'from');
  const now = jar.clock.now();
  const messageId = newMessageId(from.address);
  const calendar = meeting
    ? calendarOf(meeting, {
        organizer: organizer ?? from,
        required: to,
        optional: cc,
        subject,
        text: text ?? '',
        now,
      })
    : givenCalendar(order.calendar);
  const raw = writtenMail({
    from,
    to,
    cc,
    subject,
    date: now,
    messageId,
    ...(text !== undefined && { text }),
    ...(html !== undefined && { html }),
    ...(calendar && { calendar }),
    attachments: attachments.map(({ name, contentType = 'application/octet-stream', contentBytes }, at) => ({
      name,
      contentType,
      isInline: false,
      bytes: decoded(contentBytes, `attachments[${at}].contentBytes`),
    })),
    boundary: etag(),
  });
  return { raw, from: from.address, recipients, messageId };
}

function givenCalendar(text: string | undefined): { readonly method: string; readonly text: string } | undefined {
  if (text === undefined) return undefined;
  const calendar = readCalendar(text, 'UTC');
  if (isProblem(calendar)) throw invalid('calendar', `cannot be read: ${calendar.reason}`);
  if (calendar.method === '') throw invalid('calendar', 'has no METHOD, which mail about a meeting requires');
  return { method: calendar.method, text };
}

function decoded(text: string, field: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw invalid(field, 'is not base64');
  return bytes;
}

function writtenMail(mail: Parameters<typeof composeMail>[0]): Buffer {
  try {
    return composeMail(mail);
  } catch (error) {
    if (!(error instanceof MailValueError)) throw error;
    throw mailControlErrors.InvalidMail({ reason: error.message }, { target: error.field, cause: error });
  }
}

/** Takes a complete mail. Files have the line breaks of their system; mail has CRLF. */
async function completeMail(
  jar: MailJar,
  bytes: Buffer,
  query: { readonly from?: string; readonly recipients?: readonly string[] },
): Promise<Posted> {
  const raw = Buffer.from(bytes.toString('latin1').replace(/\r\n|\r|\n/g, '\r\n'), 'latin1');
  const parsed = readMail(raw);
  if (isProblem(parsed)) throw mailControlErrors.InvalidMail({ reason: parsed.reason });
  const named = await readAddresses(jar, query.recipients, 'recipients');
  const all = named.length > 0 ? named : [...parsed.to, ...parsed.cc, ...parsed.bcc];
  const recipients = await localRecipients(jar, all, 'recipients');
  if (recipients.length === 0)
    throw mailControlErrors.RecipientMissing({ hint: "name one in 'recipients'" }, { target: 'recipients' });
  const [from = parsed.from[0] ?? DEFAULT_SENDER] = await readAddresses(jar, query.from, 'from');
  if (parsed.messageId !== undefined) return { raw, from: from.address, recipients, messageId: parsed.messageId };
  // A submission server adds a missing Message-ID (RFC 6409, 8.3).
  const messageId = newMessageId(from.address);
  const withId = Buffer.concat([Buffer.from(`Message-ID: ${messageId}\r\n`), raw]);
  return { raw: withId, from: from.address, recipients, messageId };
}

/**
 * The trace header makes each request a separate delivery: SMTP intake deduplicates mails with equal bytes, but a user who sends a file
 * twice expects two mails.
 */
async function receive(
  jar: MailJar,
  { raw, from, recipients }: Posted,
  remoteAddress: MailHttpCall['remoteAddress'],
): Promise<void> {
  const id = etag();
  const trace = `Received: by ${SERVER_NAME} (control API) with HTTP id ${id};\r\n\t${mailDate(jar.clock.now())}\r\n`;
  const verdict = await receiveMail(jar, {
    id,
    from,
    to: recipients,
    raw: Buffer.concat([Buffer.from(trace), raw]),
    remoteAddress,
    helo: 'localhost',
    isExtended: true,
    isSecure: false,
    smtpUtf8: true,
  });
  if (verdict.is !== 'stored') throw mailControlErrors.InvalidMail({ reason: verdict.reason });
}

async function sentView(jar: MailJar, { messageId, recipients }: Posted) {
  const views = [];
  for (const address of recipients) {
    const mailbox = await targetOf(jar, address);
    if (!mailbox) continue;
    const filter = allOf(eq('mailbox', mailbox.id), eq('internetMessageId', messageId));
    const newest = [{ field: 'createdNumber', descending: true }];
    const { items } = await jar.store.query(messages, { filter, order: newest, limit: 1 });
    views.push({ address, mailbox: mailbox.address, id: items[0]?.value.uid ?? null });
  }
  return { messageId, recipients: views };
}
