import { collection, number, text } from '../../../kernel/store/index.ts';
import type { CalendarEvent } from '../calendar/types.ts';

/** An item that has left a folder, for delta. By `{mailbox}/{container}/{number}`. */
export interface Removal {
  readonly mailbox: string;
  /** The uid of the folder or calendar that it has left; `folders` for a folder, `calendars` for a calendar. */
  readonly container: string;
  readonly number: number;
  readonly uid: string;
  readonly generation: number;
  readonly createdNumber: number;
  /** Delta of all events of a mailbox asks for them wherever they were; messages are asked for by their folders. */
  readonly item?: 'event';
  /** By the jar's clock: removals are kept for a time (`delta/removals.ts`). */
  readonly at: number;
}

export const removals = collection<Removal>('mail.removals', {
  fields: {
    mailbox: text((it) => it.mailbox),
    container: text((it) => it.container),
    number: number((it) => it.number),
    at: number((it) => it.at),
    item: text((it) => it.item),
  },
  indexes: [
    ['mailbox', 'container', 'number'],
    ['mailbox', 'item', 'number'],
    ['mailbox', 'at'],
  ],
});

/** A series as it was before its occurrences changed, for delta. By `{mailbox}/{uid}/{number}`. */
export interface PastSeries {
  readonly mailbox: string;
  readonly uid: string;
  /** Of the change that ended it. */
  readonly number: number;
  /** With the times of its occurrences, and little else. */
  readonly event: CalendarEvent;
  readonly at: number;
}

export const pastSeries = collection<PastSeries>('mail.past_series', {
  fields: {
    mailbox: text((it) => it.mailbox),
    uid: text((it) => it.uid),
    number: number((it) => it.number),
    at: number((it) => it.at),
  },
  indexes: [
    ['mailbox', 'uid', 'number'],
    ['mailbox', 'at'],
  ],
});

/** The name of the state that delta tokens are of (`delta/line.ts`). It outlives resets, which change it. */
export const timeLines = collection<{ readonly name: string }>('mail.time_lines', { cached: true, permanent: true });
