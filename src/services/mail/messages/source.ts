import { deleteBlob, readBlob } from '../blobs/store.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { calendarInSource } from '../mime/carried-calendar.ts';
import type { Message } from './types.ts';

/** The calendar that a message about a meeting carries: that of a draft, or the one in the mail as it came or went. */
export async function calendarOf(
  { tx, mailbox }: Pick<MailboxWriter, 'tx' | 'mailbox'>,
  { meeting, calendar, source }: Message,
): Promise<Message['calendar']> {
  if (calendar || !meeting || source === undefined) return calendar;
  return calendarInSource(await readBlob(tx, source), mailbox.settings.zone);
}

/** A draft that came as a whole mail is composed from its properties once one of those that are sent changes. Its calendar stays. */
export async function withoutSource(writer: MailboxWriter, draft: Message): Promise<Partial<Message>> {
  const { source } = draft;
  if (!draft.isDraft || source === undefined) return {};
  const calendar = await calendarOf(writer, draft);
  await deleteBlob(writer.tx, source);
  return { source: undefined, ...(calendar && { calendar }) };
}
