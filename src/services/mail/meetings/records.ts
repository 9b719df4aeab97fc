import type { Tx } from '../../../kernel/store/index.ts';
import { meetingRecords } from '../collections.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { Latest, MeetingRecord } from './types.ts';
import { uidKey } from './uid.ts';

export const WHOLE = '';

const keyOf = (mailbox: string, uid: string): string => `${mailbox}/${uidKey(uid)}`;

export async function meetingRecord(tx: Tx, mailbox: string, uid: string): Promise<MeetingRecord | undefined> {
  return (await tx.get(meetingRecords, keyOf(mailbox, uid)))?.value;
}

/** Keeps what is newest of a meeting or of one of its occurrences. Of very many occurrences the oldest are dropped. */
export async function recordMeeting(
  { tx, mailbox }: MailboxWriter,
  uid: string,
  before: MeetingRecord | undefined,
  day: string,
  latest: Latest,
): Promise<MeetingRecord> {
  const entries = Object.entries({ ...before?.latest, [day]: latest });
  const kept =
    entries.length <= MOST_OCCURRENCES
      ? entries
      : entries.filter(([key]) => key === WHOLE || key === day || key > oldest(entries));
  const record: MeetingRecord = { uid, latest: Object.fromEntries(kept) };
  await tx.put(meetingRecords, keyOf(mailbox.id, uid), record);
  return record;
}

const MOST_OCCURRENCES = 500;
const oldest = (entries: readonly (readonly [string, Latest])[]): string =>
  entries
    .map(([day]) => day)
    .filter((day) => day !== WHOLE)
    .sort()[0] ?? '';

export type Age = 'newer' | 'same' | 'older' | 'first';

export interface Version {
  readonly sequence: number;
  readonly stamp: number;
}

/** How a mail about a meeting, or about one occurrence, stands to what the mailbox knows. */
export function ageOf(record: MeetingRecord | undefined, day: string, version: Version): Age {
  const whole = record?.latest[WHOLE];
  // The cancellation of the whole is about every occurrence.
  if (day !== WHOLE && whole?.isCancelled && compare(version, whole) <= 0) return 'older';
  const known = record?.latest[day];
  if (!known) return day !== WHOLE && whole && version.sequence < whole.sequence ? 'older' : whole ? 'newer' : 'first';
  const order = compare(version, known);
  return order > 0 ? 'newer' : order === 0 ? 'same' : 'older';
}

export const compare = (a: Version, b: Version): number => a.sequence - b.sequence || a.stamp - b.stamp;
