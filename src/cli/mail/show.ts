import { plain, textTable } from '../datasets/text-table.ts';
import type {
  AttachmentAnswer,
  DetailsAnswer,
  KeptAnswer,
  MailboxAnswer,
  MeetingAnswer,
  MessageAnswer,
} from './answers.ts';

/** Control characters that a terminal would interpret; line feeds and tabs are kept. */
const CONTROLS = /[^\P{Cc}\n\t]/gu;

/** Text from others without control characters. */
export const printable = (text: string): string => text.replace(/\r\n/g, '\n').replace(CONTROLS, plain);

export function mailboxTable(mailboxes: readonly MailboxAnswer[]): string {
  if (mailboxes.length === 0) return 'no mailbox has been used yet';
  return textTable([
    { title: 'user', cells: mailboxes.map(({ user }) => user) },
    { title: 'address', cells: mailboxes.map(({ address }) => address) },
    { title: 'messages', cells: mailboxes.map(({ messages }) => String(messages)), right: true },
    { title: 'unread', cells: mailboxes.map(({ unread }) => String(unread)), right: true },
  ]).join('\n');
}

export function messageTable(messages: readonly MessageAnswer[], hasMore: boolean): string {
  if (messages.length === 0) return 'no messages match';
  const lines = textTable([
    { title: 'id', cells: messages.map(({ id }) => id) },
    { title: 'received', cells: messages.map(({ receivedAt }) => receivedAt) },
    { title: 'state', cells: messages.map(stateOf) },
    { title: 'folder', cells: messages.map(({ folder }) => folder) },
    { title: 'from', cells: messages.map(({ from }) => from ?? '') },
    { title: 'subject', cells: messages.map(({ subject }) => subject) },
    { title: 'meeting', cells: messages.map(({ meetingMessageType }) => meetingMessageType ?? '') },
  ]);
  if (hasMore) lines.push('there are more: use filters, or raise --top');
  return lines.join('\n');
}

export function keptTable(mails: readonly KeptAnswer[], hasMore: boolean): string {
  if (mails.length === 0) return 'no mail to other domains was kept';
  const lines = textTable([
    { title: 'id', cells: mails.map(({ id }) => id) },
    { title: 'sent', cells: mails.map(({ at }) => at) },
    { title: 'from', cells: mails.map(({ from }) => from) },
    { title: 'to', cells: mails.map(({ to }) => to) },
    { title: 'subject', cells: mails.map(({ subject }) => subject) },
  ]);
  if (hasMore) lines.push('there are more: filter with --to, or raise --top');
  return lines.join('\n');
}

const stateOf = ({ isDraft, isRead }: MessageAnswer): string => (isDraft ? 'draft' : isRead ? 'read' : 'unread');

/** A message with its body, as text. */
export function messageText(message: DetailsAnswer, saved: readonly string[]): string {
  const { id, from, fromName, to, cc, receivedAt, folder, meeting } = message;
  const sender = from === null ? '' : fromName && fromName !== from ? `${fromName} <${from}>` : from;
  const lines: [string, string][] = [
    ['id', id],
    ['from', sender],
    ['to', to.join(', ')],
    ['cc', cc.join(', ')],
    ['received', receivedAt],
    ['folder', `${folder}, ${stateOf(message)}`],
    ['meeting', meeting ? meetingText(meeting) : ''],
    ...message.attachments.map((attachment): [string, string] => ['attachment', attachmentText(attachment)]),
    ...saved.map((file): [string, string] => ['saved', file]),
  ];
  const shown = lines.filter(([, value]) => value !== '');
  return [
    plain(message.subject) || '(no subject)',
    ...shown.map(([name, value]) => `  ${name.padEnd(10)}  ${plain(value)}`),
    '',
    printable(message.text).trimEnd(),
  ].join('\n');
}

function meetingText({ type, requestType, start, end, location, isOutOfDate }: MeetingAnswer): string {
  const kind = requestType === null ? type : `${type} (${requestType})`;
  const when = start === null ? '' : `, ${start} to ${end}`;
  const where = location === null ? '' : `, ${location}`;
  return `${kind}${when}${where}${isOutOfDate ? ', out of date' : ''}`;
}

const attachmentText = ({ name, contentType, size }: AttachmentAnswer): string =>
  `${name} (${contentType === null ? '' : `${contentType}, `}${size === 1 ? '1 byte' : `${size} bytes`})`;
