import { deleteBlob, readBlob } from '../blobs/store.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { calendarInSource } from '../mime/carried-calendar.ts';
import type { Message } from './types.ts';

/** The calendar of a meeting message: that of a draft, or the one in the mail as received or sent. */
export async function calendarOf(
  { tx, mailbox }: Pick<MailboxWriter, 'tx' | 'mailbox'>,
  { meeting, calendar, source }: Message,
): Promise<Message['calendar']> {
  if (calendar || !meeting || source === undefined) return calendar;
  return calendarInSource(await readBlob(tx, source), mailbox.settings.zone);
}

/**
 * Discards the MIME source of a draft when a property changes that is sent, so that the mail is composed from the properties. The calendar
 * is kept.
 */
export async function withoutSource(writer: MailboxWriter, draft: Message): Promise<Partial<Message>> {
  const { source } = draft;
  if (!draft.isDraft || source === undefined) return {};
  const calendar = await calendarOf(writer, draft);
  await deleteBlob(writer.tx, source);
  return { source: undefined, ...(calendar && { calendar }) };
}
