import type { CalendarEvent } from '../calendar/types.ts';
import type { Message } from '../messages/types.ts';

interface ItemChange {
  readonly change: 'created' | 'updated' | 'deleted';
  readonly uid: string;
  readonly generation: number;
  /** Uid of the folder or calendar that the item is in, or has left. */
  readonly container: string;
  readonly number: number;
}

/**
 * The current item, or its last state if it left; for an update also its former state. Used for filters and for resource data of
 * notifications.
 */
interface Documents<T> {
  readonly document?: T;
  readonly before?: T;
}

/** A change of an item, for delta, the change feed and change notifications. */
export type MailboxChange =
  | (ItemChange & { readonly item: 'message' } & Documents<Message>)
  | (ItemChange & { readonly item: 'event' } & Documents<CalendarEvent>)
  | (ItemChange & { readonly item: 'folder' | 'calendar' });
