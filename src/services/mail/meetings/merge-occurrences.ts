import { isMaster } from '../calendar/content.ts';
import type { CalendarEvent } from '../calendar/types.ts';
import { removeEvent } from '../calendar/write.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import { shareAttachments } from './attachments.ts';
import { isLoneOccurrence } from './events.ts';
import { withoutIdentity } from './invited-event.ts';
import { dayOfLone } from './join.ts';
import { type Link, relinkMessages } from './outdate.ts';
import { compare } from './records.ts';
import { splitSeries } from './split.ts';
import type { MeetingRecord, Version } from './types.ts';

/** Returns the parts of a split series that are newer than the mail. Removes the other parts, which are merged into the series again. */
export async function keepNewerParts(
  writer: MailboxWriter,
  all: readonly CalendarEvent[],
  target: CalendarEvent | undefined,
  version: Version,
): Promise<readonly CalendarEvent[]> {
  const kept: CalendarEvent[] = [];
  const links = new Map<string, Link>();
  for (const part of all) {
    if (part === target || !target || isLoneOccurrence(part)) continue;
    if (compare(part, version) > 0) {
      kept.push(part);
      continue;
    }
    await removeEvent(writer, part);
    links.set(part.uid, { event: target.uid });
  }
  if (target) await relinkMessages(writer, target.iCalUid, links);
  return kept;
}

/** Merges occurrences that arrived before their series into the series. */
export async function mergeLoneOccurrences(
  writer: MailboxWriter,
  series: CalendarEvent,
  lone: readonly CalendarEvent[],
  record: MeetingRecord | undefined,
): Promise<CalendarEvent> {
  let whole = series;
  let last = series;
  const links = new Map<string, Link>();
  for (const event of lone) {
    const day = dayOfLone(event, series.start, record);
    const known = record?.latest[event.loneOccurrence ?? ''];
    const isRest = known?.slot?.thisAndFuture && known.sequence >= series.sequence;
    const into = isRest && isMaster(last) ? await splitSeries(writer, last, day, withoutIdentity(event)) : series;
    if (into !== series) last = into;
    else whole = await shareAttachments(writer, event, whole);
    if (last.uid === whole.uid) last = whole;
    await removeEvent(writer, event);
    links.set(event.uid, { event: into.uid, occurrence: day });
  }
  await relinkMessages(writer, series.iCalUid, links);
  return whole;
}
