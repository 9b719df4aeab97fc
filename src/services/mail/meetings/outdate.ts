import type { Stored } from '../../../kernel/store/index.ts';
import { messages } from '../collections.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { MeetingMessage, Message } from '../messages/types.ts';
import { updateMessage } from '../messages/write.ts';
import type { MeetingMail } from './meeting-mail.ts';
import { uidKey } from './uid.ts';

const MOST_MESSAGES = 200;

async function messagesOf({ tx, mailbox }: MailboxWriter, uid: string): Promise<readonly Stored<Message>[]> {
  const { items } = await tx.query(messages, {
    filter: {
      op: 'and',
      args: [
        { op: 'eq', field: 'mailbox', value: mailbox.id },
        { op: 'eq', field: 'meetingUid', value: uidKey(uid) },
      ],
    },
    limit: MOST_MESSAGES,
  });
  return items;
}

/** Marks the earlier requests of a meeting that a newer mail supersedes as out of date, including delegates' copies. */
export async function outdateRequests(
  writer: MailboxWriter,
  { delegates }: Pick<MeetingMail, 'delegates'>,
  uid: string,
  isOld: (meeting: MeetingMessage) => boolean,
): Promise<void> {
  await outdateIn(writer, uid, (meeting) => meeting.principal === undefined && isOld(meeting));
  const { id } = writer.mailbox;
  for (const delegate of delegates)
    await outdateIn(delegate, uid, (meeting) => meeting.principal === id && isOld(meeting));
}

async function outdateIn(
  writer: MailboxWriter,
  uid: string,
  isOld: (meeting: MeetingMessage) => boolean,
): Promise<void> {
  for (const { value: message } of await messagesOf(writer, uid)) {
    const { meeting } = message;
    if (!meeting?.request || meeting.isOutOfDate || !isOld(meeting)) continue;
    const request = { ...meeting.request, type: 'outdated' as const };
    await updateMessage(writer, message, { meeting: { ...meeting, isOutOfDate: true, request } });
  }
}

export interface Link {
  readonly event: string;
  readonly occurrence?: string;
}

/** Updates the links of messages whose event was merged into another one. */
export async function relinkMessages(
  writer: MailboxWriter,
  uid: string,
  links: ReadonlyMap<string, Link>,
): Promise<void> {
  if (links.size === 0) return;
  for (const { value: message } of await messagesOf(writer, uid)) {
    const { meeting } = message;
    const link = links.get(meeting?.event ?? '');
    if (meeting && meeting.principal === undefined && link)
      await updateMessage(writer, message, { meeting: { ...meeting, ...link } });
  }
}
