import { createHash } from 'node:crypto';
import { MOST_ATTACHMENTS } from '../attachments/limits.ts';
import { attachmentsOf, copyAttachments, deleteAttachment, putAttachment } from '../attachments/store.ts';
import type { Attachment } from '../attachments/types.ts';
import { readBlob } from '../blobs/store.ts';
import type { CalendarEvent } from '../calendar/types.ts';
import { updateEvent } from '../calendar/write.ts';
import { events } from '../collections.ts';
import type { CalendarAttachment, CalendarComponent } from '../ical/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { MailAttachment } from '../mime/types.ts';
import type { MeetingMail } from './meeting-mail.ts';

/**
 * Attachments of the organizer: ATTACH in the calendar, and files of the mail. Attachments that the owner of the mailbox added to the event
 * are not touched.
 */

type Given = Omit<Attachment, 'uid' | 'blob' | 'owner'>;

interface Wanted {
  readonly given: Given;
  readonly bytes?: Buffer;
}

/** A request for the whole meeting lists all attachments, so the organizer's other attachments are deleted. */
export async function replaceAttachments(
  writer: MailboxWriter,
  event: CalendarEvent,
  components: readonly CalendarComponent[],
  mail: MeetingMail,
): Promise<CalendarEvent> {
  const before = await attachmentsOf(writer.tx, writer.key(event.uid));
  const kept = await addMissing(writer, event, before, wantedOf(writer, components, mail));
  for (const attachment of before)
    if (attachment.isOrganizers && !kept.has(attachment.uid))
      await deleteAttachment(writer.tx, writer.key(event.uid), attachment);
  return withFlag(writer, event);
}

/** Attachments belong to the series as a whole, so those of one occurrence are added to the series. */
export async function addAttachments(
  writer: MailboxWriter,
  event: CalendarEvent,
  component: CalendarComponent,
  mail: MeetingMail,
): Promise<CalendarEvent> {
  const wanted = wantedOf(writer, [component], mail);
  if (wanted.size === 0) return event;
  await addMissing(writer, event, await attachmentsOf(writer.tx, writer.key(event.uid)), wanted);
  return withFlag(writer, event);
}

/** Copies the attachments when an event is merged into another one, or when a part is split off. */
export async function shareAttachments(
  writer: MailboxWriter,
  from: CalendarEvent,
  to: CalendarEvent,
): Promise<CalendarEvent> {
  if (!from.hasAttachments) return to;
  await copyAttachments(writer.tx, writer.key(from.uid), writer.key(to.uid));
  return withFlag(writer, to);
}

/** Reads the event again, since it may have been written after the caller read it. */
async function withFlag(writer: MailboxWriter, before: CalendarEvent): Promise<CalendarEvent> {
  const key = writer.key(before.uid);
  const event = (await writer.tx.get(events, key))?.value ?? before;
  const hasAttachments = (await attachmentsOf(writer.tx, key)).some(({ isInline }) => !isInline);
  return hasAttachments === event.hasAttachments ? event : updateEvent(writer, event, { hasAttachments });
}

/** Adds the wanted attachments that are missing. Returns the uids of the existing ones that are wanted; these keep their ids. */
async function addMissing(
  writer: MailboxWriter,
  { uid }: CalendarEvent,
  before: readonly Attachment[],
  wanted: ReadonlyMap<string, Wanted>,
): Promise<ReadonlySet<string>> {
  const { tx } = writer;
  const known = await contentsOf(tx, before, wanted);
  const kept = new Set<string>();
  for (const [content, { given, bytes }] of wanted) {
    const same = known.get(content);
    if (same) kept.add(same.uid);
    else if (before.length - kept.size < MOST_ATTACHMENTS) await putAttachment(tx, writer.key(uid), given, bytes);
  }
  return kept;
}

/** Existing attachments keyed by content. Reads only those with the name and size of a wanted one. */
async function contentsOf(
  tx: MailboxWriter['tx'],
  before: readonly Attachment[],
  wanted: ReadonlyMap<string, Wanted>,
): Promise<ReadonlyMap<string, Attachment>> {
  const label = ({ name, size }: Given): string => JSON.stringify([name, size]);
  const labels = new Set([...wanted.values()].map(({ given }) => label(given)));
  const known = new Map<string, Attachment>();
  for (const each of before) {
    if (!labels.has(label(each))) continue;
    const bytes = each.blob === undefined ? undefined : await readBlob(tx, each.blob);
    known.set(contentOf({ given: each, ...(bytes && { bytes }) }), each);
  }
  return known;
}

const contentOf = ({ given: { kind, name, reference }, bytes }: Wanted): string =>
  JSON.stringify([kind, name, reference?.sourceUrl, bytes && createHash('sha256').update(bytes).digest('base64url')]);

function wantedOf(
  { now }: Pick<MailboxWriter, 'now'>,
  components: readonly CalendarComponent[],
  { files }: MeetingMail,
): ReadonlyMap<string, Wanted> {
  const attached = components.flatMap(({ attachments }) => attachments);
  const named = attached.map((each) => fileOf(each, files) ?? ofCalendar(each, now));
  const all = [...named, ...files.filter(isAttached)].map((each) => ('given' in each ? each : ofMail(each, now)));
  const unique = new Map(all.map((each) => [contentOf(each), each]));
  return new Map([...unique].slice(0, MOST_ATTACHMENTS));
}

/** The file of the mail to which `ATTACH:cid:…` refers (RFC 6047, section 2.6). */
function fileOf(attachment: CalendarAttachment, files: readonly MailAttachment[]): MailAttachment | undefined {
  const id = attachment.kind === 'uri' ? /^cid:(.+)$/i.exec(attachment.uri)?.[1] : undefined;
  return id === undefined ? undefined : files.find(({ contentId }) => contentId === id);
}

/** Excludes calendar files, which repeat the invitation. Includes images that the body shows. */
const isAttached = ({ isInline, contentId, contentType }: MailAttachment): boolean =>
  !/^(text\/calendar|application\/ics)\b/i.test(contentType) && (!isInline || contentId !== undefined);

const common = (contentType: string, modifiedAt: number) => ({
  contentType: contentType || null,
  isInline: false,
  modifiedAt,
  isOrganizers: true,
});

const ofMail = (file: MailAttachment, now: number): Wanted => ({
  given: {
    ...common(file.contentType, now),
    kind: file.isMessage ? 'item' : 'file',
    name: file.name || 'attachment',
    size: file.bytes.length,
    isInline: file.isInline,
    ...(file.isMessage && { item: { type: 'message', form: 'mime' } }),
    ...(file.contentId !== undefined && { contentId: file.contentId }),
  },
  bytes: file.bytes,
});

function ofCalendar(attachment: CalendarAttachment, now: number): Wanted {
  const { name, contentType } = attachment;
  if (attachment.kind === 'bytes') {
    const { bytes } = attachment;
    return {
      given: { ...common(contentType, now), kind: 'file', name: name || 'attachment', size: bytes.length },
      bytes,
    };
  }
  const { uri } = attachment;
  const reference = {
    sourceUrl: uri,
    providerType: 'other',
    permission: 'other',
    isFolder: false,
    previewUrl: null,
    thumbnailUrl: null,
  };
  return { given: { ...common(contentType, now), kind: 'reference', name: name || uri, size: uri.length, reference } };
}
