import { messages } from '../collections.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { updateMessage } from '../messages/write.ts';
import { compare, type Version } from './records.ts';
import { uidKey } from './uid.ts';

const MOST_MESSAGES = 200;

/** Marks the earlier requests of a meeting, or of one of its occurrences, that a newer mail supersedes. */
export async function outdateRequests(
  writer: MailboxWriter,
  uid: string,
  occurrence: string | undefined,
  version: Version,
): Promise<void> {
  const { items } = await writer.tx.query(messages, {
    filter: {
      op: 'and',
      args: [
        { op: 'eq', field: 'mailbox', value: writer.mailbox.id },
        { op: 'eq', field: 'meetingUid', value: uidKey(uid) },
      ],
    },
    limit: MOST_MESSAGES,
  });
  for (const { value: message } of items) {
    const { meeting } = message;
    if (!meeting?.request || meeting.isOutOfDate) continue;
    // What is new for the whole meeting supersedes requests for single occurrences that are older.
    if (occurrence !== undefined && meeting.occurrence !== occurrence) continue;
    if (compare(meeting, version) >= 0) continue;
    const request = { ...meeting.request, type: 'outdated' as const };
    await updateMessage(writer, message, { meeting: { ...meeting, isOutOfDate: true, request } });
  }
}
