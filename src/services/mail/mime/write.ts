/**
 * Writes mail. Not nodemailer's composer: it is an asynchronous stream, decides the layout itself (a calendar also becomes an attachment),
 * and silently drops line breaks in header values, which are an error here.
 */
import { reportEntity } from './delivery-status.ts';
import { foldHeader, headerText, phrase, unstructured } from './encode.ts';
import { attachmentEntity, calendarEntity, type Entity, multipart, textEntity } from './entity.ts';
import { MailValueError } from './errors.ts';
import { isHeaderAddress } from './mail-address.ts';
import { formatMailDate } from './mail-date.ts';
import { htmlToText } from './text.ts';
import type { MailAddress, OutgoingAttachment, OutgoingMail } from './types.ts';

/**
 * Writes a mail as bytes, with CRLF only. The output is deterministic. Throws a MailValueError for a value that would break out of its
 * header.
 */
export function composeMail(mail: OutgoingMail): Buffer {
  checkBoundary(mail.boundary);
  const content = contentOf(mail);
  const head = [...headersOf(mail), 'MIME-Version: 1.0\r\n', ...content.headers].join('');
  // A body without a final line break gets one. Inside a multipart the delimiter supplies it, so that bodies arrive unchanged.
  const end = content.body.length > 0 && content.body.at(-1) !== 0x0a ? '\r\n' : '';
  return Buffer.concat([Buffer.from(head), Buffer.from('\r\n'), content.body, Buffer.from(end)]);
}

function checkBoundary(boundary: string): void {
  if (!/^[\w.-]{1,40}$/.test(boundary)) {
    throw new MailValueError('boundary', 'must be 1 to 40 letters, digits, ".", "_" or "-"');
  }
}

/** Outlook's layout: mixed [ related [ alternative [ text, html, calendar ], inline files ], files ]. */
function contentOf(mail: OutgoingMail): Entity {
  if (mail.report) return reportEntity(mail.text ?? '', mail.report, mail.boundary);
  const attachments = (mail.attachments ?? []).map(checkedAttachment);
  const isInline = (attachment: OutgoingAttachment): boolean => attachment.isInline && mail.html !== undefined;
  const inline = attachments.filter(isInline);
  const files = attachments.filter((attachment) => !isInline(attachment));
  const forms = formsOf(mail);
  const [first] = forms;
  const body = first && forms.length === 1 ? first : multipart('alternative', forms, mail.boundary);
  const bodyType = forms.length === 1 ? 'text/html' : 'multipart/alternative';
  const shown =
    inline.length === 0
      ? body
      : multipart('related', [body, ...inline.map(attachmentEntity)], mail.boundary, `; type="${bodyType}"`);
  return files.length === 0 ? shown : multipart('mixed', [shown, ...files.map(attachmentEntity)], mail.boundary);
}

/** HTML always has a plain text alternative, for readers that cannot show HTML. */
function formsOf({ text, html, calendar }: OutgoingMail): readonly Entity[] {
  const plain = text ?? (html === undefined ? '' : htmlToText(html));
  return [
    textEntity('text/plain', plain),
    ...(html === undefined ? [] : [textEntity('text/html', html)]),
    ...(calendar ? [calendarEntity(checkedMethod(calendar.method), calendar.text)] : []),
  ];
}

function checkedMethod(method: string): string {
  if (!/^[A-Za-z-]{1,40}$/.test(method)) throw new MailValueError('calendar.method', 'must be a word');
  return method.toUpperCase();
}

function checkedAttachment(attachment: OutgoingAttachment): OutgoingAttachment {
  const contentType = headerText('Content-Type', attachment.contentType);
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(contentType))
    throw new MailValueError('Content-Type', 'must be of the form type/subtype');
  const location = attachment.contentLocation;
  return {
    ...attachment,
    contentType: attachment.isMessage ? 'message/rfc822' : contentType,
    name: headerText('filename', attachment.name),
    ...(attachment.contentId === undefined
      ? {}
      : { contentId: headerText('Content-ID', attachment.contentId).replace(/[<>\s]/g, '') }),
    ...(location === undefined ? {} : { contentLocation: unstructured(headerText('Content-Location', location)) }),
  };
}

function headersOf(mail: OutgoingMail): string[] {
  return [
    ...addresses('From', mail.from && [mail.from]),
    ...addresses('Sender', mail.sender && [mail.sender]),
    ...addresses('To', mail.to),
    ...addresses('Cc', mail.cc),
    ...addresses('Bcc', mail.bcc),
    ...addresses('Reply-To', mail.replyTo),
    foldHeader('Subject', unstructured(headerText('Subject', mail.subject))),
    ...text('Thread-Topic', mail.threadTopic),
    ...text('Thread-Index', mail.threadIndex),
    foldHeader('Date', formatMailDate(mail.date)),
    foldHeader('Message-ID', messageId('Message-ID', mail.messageId)),
    ...idList('References', mail.references),
    ...idList('In-Reply-To', mail.inReplyTo === undefined ? [] : [mail.inReplyTo]),
    ...weight(mail),
    ...addresses('Disposition-Notification-To', mail.readReceiptTo && [mail.readReceiptTo]),
    ...addresses('Return-Receipt-To', mail.deliveryReceiptTo && [mail.deliveryReceiptTo]),
    ...text('Auto-Submitted', mail.autoSubmitted),
    ...(mail.calendar ? ['Content-Class: urn:content-classes:calendarmessage\r\n'] : []),
    ...(mail.headers ?? []).map(({ name, value }) => furtherHeader(name, value)),
  ];
}

const text = (name: string, value: string | undefined): string[] =>
  value === undefined ? [] : [foldHeader(name, unstructured(headerText(name, value)))];

const IMPORTANCE = { high: '1 (Highest)', low: '5 (Lowest)' } as const;
const SENSITIVITY = { personal: 'Personal', private: 'Private', confidential: 'Company-Confidential' } as const;

function weight({ importance, sensitivity }: OutgoingMail): string[] {
  return [
    ...(importance === 'high' || importance === 'low'
      ? [`Importance: ${importance}\r\n`, `X-Priority: ${IMPORTANCE[importance]}\r\n`]
      : []),
    ...(sensitivity === undefined || sensitivity === 'normal' ? [] : [`Sensitivity: ${SENSITIVITY[sensitivity]}\r\n`]),
  ];
}

const withoutBrackets = (id: string): string => id.replace(/^<|>$/g, '');

/** Message ids cannot contain blanks: a blank would end the id. */
export const isMessageId = (id: string): boolean => /^[^\s\p{Cc}<>]{1,900}$/u.test(withoutBrackets(id));

/** Adds angle brackets if they are missing. */
function messageId(field: string, id: string): string {
  const plain = headerText(field, id);
  if (!isMessageId(plain)) throw new MailValueError(field, 'must be a message id');
  return `<${withoutBrackets(plain)}>`;
}

/**
 * Ids of other messages, which come from outside. An id that cannot be written in a header is left out, since the sender cannot correct it.
 */
function idList(field: string, ids: readonly string[] = []): string[] {
  const usable = ids.map((id) => headerText(field, id)).filter(isMessageId);
  return usable.length === 0 ? [] : [foldHeader(field, usable.map((id) => messageId(field, id)).join(' '))];
}

function addresses(field: string, list: readonly MailAddress[] | undefined): string[] {
  return list && list.length > 0 ? [foldHeader(field, list.map((one) => addressText(field, one)).join(', '))] : [];
}

function addressText(field: string, { name, address }: MailAddress): string {
  const plain = headerText(field, address);
  if (!isHeaderAddress(plain)) throw new MailValueError(field, 'must be an address of the form local@domain');
  const display = headerText(field, name);
  return display === '' || display === plain ? plain : `${phrase(display)} <${plain}>`;
}

/** Headers that the composer writes itself; a second one would contradict it. */
const RESERVED = /^(?:content-.*|mime-version|from|sender|to|cc|bcc|reply-to|subject|date|message-id)$/i;

export const isHeaderName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_.-]{0,75}$/.test(name);

function furtherHeader(name: string, value: string): string {
  if (!isHeaderName(name)) throw new MailValueError('headers', 'a header name is letters, digits, "-", "_" and "."');
  if (RESERVED.test(name)) throw new MailValueError(name, 'the composer writes this header itself');
  const plain = headerText(name, value);
  return foldHeader(name, unstructured(plain));
}
