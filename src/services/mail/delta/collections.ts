import { collection, number, text } from '../../../kernel/store/index.ts';
import type { CalendarEvent } from '../calendar/types.ts';

/** Records that an item has left a folder or calendar, for delta. Keyed by `{mailbox}/{container}/{number}`. */
export interface Removal {
  readonly mailbox: string;
  /** Uid of the folder or calendar that the item has left; `folders` for a folder, `calendars` for a calendar. */
  readonly container: string;
  readonly number: number;
  readonly uid: string;
  readonly generation: number;
  readonly createdNumber: number;
  /** Set for events: the delta of all events of a mailbox needs them from every calendar. Messages are read by folder. */
  readonly item?: 'event';
  /** By the jar's clock. Removals are kept for a limited time (`delta/removals.ts`). */
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

/** A series before a change of its occurrences, for delta. Keyed by `{mailbox}/{uid}/{number}`. */
export interface PastSeries {
  readonly mailbox: string;
  readonly uid: string;
  /** Number of the change that replaced this state. */
  readonly number: number;
  /** Little more than the times of the occurrences. */
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

/** Names the state to which delta tokens belong (`delta/line.ts`). A reset does not delete it but changes it. */
export const timeLines = collection<{ readonly name: string }>('mail.time_lines', { cached: true, permanent: true });
