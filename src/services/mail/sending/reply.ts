import { contentPreview } from '../api/content.ts';
import type { Preferences } from '../api/preferences.ts';
import { attachmentsOf, putCopies, searchedNames } from '../attachments/store.ts';
import type { Attachment } from '../attachments/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { MessageInput } from '../messages/input.ts';
import { createDraft, type NewDraft } from '../messages/new-draft.ts';
import { calendarOf } from '../messages/source.ts';
import type { Address, ItemBody, Message } from '../messages/types.ts';
import { cutText } from '../mime/one-line.ts';
import { escapeHtml, textToHtml } from '../mime/text.ts';
import { toWall } from '../zones/zone.ts';

export interface Answering {
  readonly kind: 'reply' | 'replyAll' | 'forward';
  readonly comment?: string;
}

interface AnswerOptions extends Answering, NewDraft {
  /** Zone of the quoted Sent line. */
  readonly prefer: Pick<Preferences, 'zone'>;
}

/** A draft that answers or forwards a message and quotes the original. */
export async function answerDraft(
  writer: MailboxWriter,
  original: Message,
  { kind, comment, input, files, prefer }: AnswerOptions,
): Promise<Message> {
  const quoted = quotedBody(original, prefer);
  const body = withComment(quoted, input.body ?? commentBody(comment, quoted.contentType));
  const given = input;
  const kept = await keptAttachments(writer, original, kind);
  const fields = {
    ...(given.subject === undefined && { subject: subjectOf(kind, original.subject) }),
    ...peopleOf(writer, original, kind, given),
    body,
    bodyPreview: contentPreview(body),
    importance: given.importance ?? original.importance,
    conversationId: original.conversationId,
    conversationIndex: childIndex(original.conversationIndex, writer.now - original.sentAt),
    references: [...(original.references ?? []), original.internetMessageId].slice(-MOST_REFERENCES),
    hasAttachments: kept.some(({ isInline }) => !isInline),
    attachmentNames: searchedNames(kept),
    size: kept.reduce((sum, { size }) => sum + size, Buffer.byteLength(body.content)),
    ...(kind === 'forward' && (await forwardedInvitation(writer, original))),
  };
  const draft = await createDraft(writer, { input, files }, fields);
  await putCopies(writer.tx, kept, writer.key(draft.uid));
  return draft;
}

/** A forward keeps all attachments; an answer keeps only those that the quoted body shows. */
async function keptAttachments(
  writer: MailboxWriter,
  { uid, body }: Message,
  kind: Answering['kind'],
): Promise<readonly Attachment[]> {
  const all = await attachmentsOf(writer.tx, writer.key(uid));
  if (kind === 'forward') return all;
  return all.filter(
    ({ isInline, contentId }) => isInline && contentId !== undefined && body.content.includes(`cid:${contentId}`),
  );
}

/**
 * A forwarded invitation is still an invitation (RFC 5546, 3.2.2.6): its recipient is invited by the organizer and responds to the
 * organizer.
 */
async function forwardedInvitation(
  writer: MailboxWriter,
  original: Message,
): Promise<Pick<Message, 'meeting' | 'calendar'>> {
  const { meeting } = original;
  if (meeting?.kind !== 'eventMessageRequest') return {};
  const calendar = await calendarOf(writer, original);
  return calendar ? { meeting, calendar } : {};
}

const MOST_REFERENCES = 50;
const PREFIXES = { reply: 'RE: ', replyAll: 'RE: ', forward: 'FW: ' } as const;
const LONGEST_SUBJECT = 255;

/** An existing prefix is not repeated. */
const subjectOf = (kind: Answering['kind'], subject: string): string => {
  const prefix = PREFIXES[kind];
  const has = subject.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase();
  return cutText(has ? subject : `${prefix}${subject}`, LONGEST_SUBJECT);
};

/** Answers go to `replyTo` if the sender set it. replyAll leaves out the owner's own address. */
function peopleOf(
  writer: MailboxWriter,
  original: Message,
  kind: Answering['kind'],
  given: MessageInput,
): Pick<Message, 'to' | 'cc'> {
  const { mailbox } = writer;
  const isOwn = ({ address }: Address): boolean => address.toLowerCase() === mailbox.address.toLowerCase();
  const given_ = { to: given.toRecipients, cc: given.ccRecipients };
  if (kind === 'forward') return { to: given_.to ?? [], cc: given_.cc ?? [] };
  const sender = original.replyTo.length > 0 ? original.replyTo : original.from ? [original.from] : [];
  // An answer to one's own message goes to its recipients.
  const back = sender.every(isOwn) ? original.to : sender;
  if (kind === 'reply') return { to: given_.to ?? back, cc: given_.cc ?? [] };
  const to = unique([...back, ...(sender.every(isOwn) ? [] : original.to)]).filter((each) => !isOwn(each));
  const cc = unique(original.cc).filter((each) => !isOwn(each) && !to.some(sameAs(each)));
  return { to: given_.to ?? to, cc: given_.cc ?? cc };
}

const sameAs =
  (one: Address) =>
  (other: Address): boolean =>
    one.address.toLowerCase() === other.address.toLowerCase();

const unique = (people: readonly Address[]): Address[] =>
  people.filter((one, at) => people.findIndex(sameAs(one)) === at);

/** The quoted message, below the header lines that mail clients write. */
function quotedBody({ body, from, sentAt, to, cc, subject }: Message, { zone }: Pick<Preferences, 'zone'>): ItemBody {
  const people = (all: readonly Address[]): string =>
    all.map(({ name, address }) => (name === address ? address : `${name} <${address}>`)).join('; ');
  const lines: [string, string][] = [
    ['From', from ? people([from]) : ''],
    ['Sent', sentLine(toWall(zone, sentAt))],
    ['To', people(to)],
    ...(cc.length > 0 ? [['Cc', people(cc)] as [string, string]] : []),
    ['Subject', subject],
  ];
  if (body.contentType === 'text') {
    const head = lines.map(([name, value]) => `${name}: ${value}`).join('\r\n');
    return {
      contentType: 'text',
      content: `\r\n\r\n________________________________\r\n${head}\r\n\r\n${body.content}`,
    };
  }
  const head = lines.map(([name, value]) => `<b>${name}:</b> ${escapeHtml(value)}`).join('<br>\r\n');
  return {
    contentType: 'html',
    content: `<hr tabindex="-1" style="display:inline-block; width:98%"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" color="#000000" style="font-size:11pt">${head}</font><div>&nbsp;</div></div>\r\n${body.content}`,
  };
}

const DAY_FORMAT = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });
const TIME_FORMAT = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'UTC' });

/** `Monday, January 5, 2026 9:00 AM`, in wall-clock time. */
const sentLine = (wall: number): string =>
  [DAY_FORMAT, TIME_FORMAT]
    .map((format) => format.format(new Date(wall)))
    .join(' ')
    .replaceAll('\u202f', ' ');

const commentBody = (comment: string | undefined, contentType: ItemBody['contentType']): ItemBody => ({
  contentType,
  content: contentType === 'html' ? textToHtml(comment ?? '') : (comment ?? ''),
});

function withComment(quoted: ItemBody, comment: ItemBody): ItemBody {
  if (quoted.contentType === 'text' && comment.contentType === 'text')
    return { contentType: 'text', content: comment.content + quoted.content };
  const html = ({ contentType, content }: ItemBody): string => (contentType === 'html' ? content : textToHtml(content));
  return { contentType: 'html', content: `${html(comment)}${html(quoted)}` };
}

/**
 * The thread index of an answer: the original's index and five bytes with the elapsed time in steps of 26 milliseconds. The random part is
 * left out.
 */
function childIndex(parent: string, elapsedMs: number): string {
  const bytes = Buffer.from(parent, 'base64');
  const child = Buffer.alloc(5);
  child.writeUInt32BE(Math.max(0, Math.floor(elapsedMs / 26)) % 2 ** 31, 0);
  return Buffer.concat([bytes.subarray(0, 500), child]).toString('base64');
}
