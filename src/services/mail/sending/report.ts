import { isIP } from 'node:net';
import { etag } from '../../../kernel/ids/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { readPart } from '../blobs/store.ts';
import { deliverMail } from '../intake/deliver.ts';
import { parseIncoming } from '../intake/incoming.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { newMessageId } from '../messages/draft.ts';
import { recipientValue, type StatusField } from '../mime/delivery-status.ts';
import { formatMailDate } from '../mime/mail-date.ts';
import { isProblem } from '../mime/problem.ts';
import { composeMail } from '../mime/write.ts';
import type { NonDelivery } from '../relay/policy.ts';
import type { QueuedMail } from './types.ts';

/** A recipient who did not get a mail, and the reason. */
export interface Failure {
  readonly recipient: string;
  readonly reason: NonDelivery;
}

/** Bytes of the original header in a report; the rest is left out. */
const LONGEST_HEADER_BYTES = 64 * 1024;

/** Sends a non-delivery report (RFC 3464) to the sender of a mail. */
export async function reportNonDelivery(
  writer: MailboxWriter,
  mail: QueuedMail,
  failures: readonly Failure[],
): Promise<void> {
  const { mailbox, now } = writer;
  const domain = mailbox.address.split('@')[1] ?? 'localhost';
  const about = /^<?[^\s<>]{1,900}>?$/.test(mail.messageId) ? mail.messageId : undefined;
  const raw = composeMail({
    from: { name: 'Mail Delivery System', address: `postmaster@${domain}` },
    to: [{ name: mailbox.displayName, address: mailbox.address }],
    subject: `Undeliverable: ${mail.subject}`,
    date: now,
    messageId: newMessageId(mailbox.address),
    ...(about !== undefined && { inReplyTo: about, references: [about] }),
    autoSubmitted: 'auto-replied',
    text: failures.map(textOf).join('\n\n'),
    report: {
      groups: [
        [
          ['Reporting-MTA', `dns; ${domain}`],
          ['Arrival-Date', formatMailDate(mail.queuedAt)],
        ],
        ...failures.map((failure) => fieldsOf(failure, now)),
      ],
      originalHeader: await headerOf(writer.tx, mail),
    },
    boundary: etag(),
  });
  const incoming = parseIncoming(raw, '', etag());
  if (!isProblem(incoming)) await deliverMail(writer, incoming, mailbox.address);
}

const saidOf = ({ code, enhancedCode, text }: NonDelivery): string =>
  [code, enhancedCode, text].filter((part) => part !== undefined).join(' ');

const textOf = ({ recipient, reason }: Failure): string =>
  [
    `Your message to ${recipient} could not be delivered.`,
    '',
    `Reason: ${saidOf(reason)}`,
    `Attempts: ${reason.attempts}`,
  ].join('\n');

/** Without a reply of the relay: 4.4.7 if the time to live expired, 5.0.0 if the jar itself abandoned the mail. */
function fieldsOf({ recipient, reason }: Failure, now: number): readonly StatusField[] {
  const { code, enhancedCode, cause, relay } = reason;
  const status = enhancedCode ?? (cause === 'expired' ? '4.4.7' : code === undefined || code < 500 ? '5.0.0' : '5.5.0');
  return [
    ['Final-Recipient', recipientValue(recipient)],
    ['Action', 'failed'],
    ['Status', status],
    ...(relay === undefined ? [] : [['Remote-MTA', `dns; ${isIP(relay) > 0 ? `[${relay}]` : relay}`] as const]),
    ['Diagnostic-Code', code === undefined ? `x-cloudjar; ${reason.text}` : `smtp; ${saidOf(reason)}`],
    ['Last-Attempt-Date', formatMailDate(reason.lastAttemptAt ?? now)],
  ];
}

/** The header as it was sent, without the empty line after it. */
async function headerOf(tx: Tx, { blob }: QueuedMail): Promise<string> {
  const beginning = (await readPart(tx, blob, 0, LONGEST_HEADER_BYTES)).toString('latin1');
  const end = beginning.indexOf('\r\n\r\n');
  const whole = end < 0 ? beginning.slice(0, beginning.lastIndexOf('\r\n') + 2) : beginning.slice(0, end + 2);
  return Buffer.from(whole, 'latin1').toString('utf8');
}
