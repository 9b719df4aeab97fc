import { createHash } from 'node:crypto';
import type { Tx } from '../../../kernel/store/index.ts';
import { meetingRecords } from '../collections.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { MeetingRequestType } from '../messages/types.ts';

/**
 * What a mailbox knows of a meeting by its UID, whether the event is still in a calendar or not: the latest request or cancellation of the whole and of
 * each occurrence. SEQUENCE and then DTSTAMP decide what is newer, in whatever order mail arrives.
 */
export interface MeetingRecord {
  readonly uid: string;
  /** By the day of an occurrence; `''` is the whole meeting. */
  readonly latest: Readonly<Record<string, Latest>>;
}

export interface Latest {
  readonly sequence: number;
  readonly stamp: number;
  readonly isCancelled: boolean;
  /** As the message was classified: the same request that comes again is classified so too. */
  readonly requestType: MeetingRequestType;
}

export const WHOLE = '';

/** UIDs are of any length and may hold anything; vendors' hexadecimal ones carry the date of an occurrence, which is left out. */
export function uidKey(uid: string): string {
  const normal = /^040000008200E00074C5B7101A82E008[0-9A-F]{8}/i.test(uid)
    ? `${uid.slice(0, 32)}00000000${uid.slice(40)}`.toUpperCase()
    : uid;
  return createHash('sha256').update(normal).digest('base64url');
}

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
