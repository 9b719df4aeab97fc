import type { Tx } from '../../../kernel/store/index.ts';
import { meetingRecords } from '../collections.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { Latest, MeetingRecord, Version } from './types.ts';
import { uidKey } from './uid.ts';

export const WHOLE = '';

export const recordKey = (mailbox: string, uid: string): string => `${mailbox}/${uidKey(uid)}`;

export async function meetingRecord(tx: Tx, mailbox: string, uid: string): Promise<MeetingRecord | undefined> {
  return (await tx.get(meetingRecords, recordKey(mailbox, uid)))?.value;
}

/** Stores the newest versions of a meeting and of its occurrences. Above the bound, the earliest occurrences are dropped. */
export async function recordMeeting(
  { tx, mailbox }: MailboxWriter,
  { uid, organizer, sender }: Pick<MeetingRecord, 'uid' | 'organizer' | 'sender'>,
  latest: Readonly<Record<string, Latest>>,
): Promise<void> {
  const { [WHOLE]: whole, ...occurrences } = latest;
  const kept = Object.entries(occurrences)
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .slice(0, MOST_OCCURRENCES);
  const record: MeetingRecord = {
    uid,
    ...(organizer && { organizer }),
    ...(sender && { sender }),
    latest: { ...(whole && { [WHOLE]: whole }), ...Object.fromEntries(kept) },
  };
  await tx.put(meetingRecords, recordKey(mailbox.id, uid), record);
}

const MOST_OCCURRENCES = 500;

export type Age = 'newer' | 'same' | 'older' | 'first';

/**
 * Compares a mail about a meeting, or about one occurrence, with the record of the mailbox. `isSlot` tests the start against the known
 * series.
 */
export function ageOf(
  record: MeetingRecord | undefined,
  day: string,
  version: Version,
  isSlot: () => boolean = () => true,
): Age {
  const whole = record?.latest[WHOLE];
  if (day !== WHOLE && whole && isSuperseded(version, day, whole, isSlot)) return 'older';
  const known = record?.latest[day];
  if (!known) return whole ? 'newer' : 'first';
  const order = compare(version, known);
  return order > 0 ? 'newer' : order === 0 ? 'same' : 'older';
}

/**
 * True if a mail about the whole meeting overrides a mail about an occurrence. An update with the same SEQUENCE keeps the exceptions,
 * unless it cancels them or its rules no longer have their starts.
 */
export function isSuperseded(occurrence: Version, day: string, whole: Latest, isSlot: () => boolean): boolean {
  if (occurrence.sequence < whole.sequence) return true;
  if (compare(occurrence, whole) > 0) return false;
  return whole.isCancelled || (whole.excluded ?? []).includes(day) || !isSlot();
}

export const compare = (a: Version, b: Version): number => a.sequence - b.sequence || a.stamp - b.stamp;

export const later = <V extends Version>(a: V, b: V): V => (compare(a, b) > 0 ? a : b);
