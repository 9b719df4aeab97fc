import type { CalendarEvent } from '../calendar/types.ts';
import type { Message } from '../messages/types.ts';

interface ItemChange {
  readonly change: 'created' | 'updated' | 'deleted';
  readonly uid: string;
  readonly generation: number;
  /** The uid of the folder or calendar that it is in, or has left. */
  readonly container: string;
  readonly number: number;
}

/** The item as it is now, or as it was when it left; of an update also as it was before: for filters and for resource data of notifications. */
interface Documents<T> {
  readonly document?: T;
  readonly before?: T;
}

/** What happened to an item, for delta, the change feed and change notifications. */
export type MailboxChange =
  | (ItemChange & { readonly item: 'message' } & Documents<Message>)
  | (ItemChange & { readonly item: 'event' } & Documents<CalendarEvent>)
  | (ItemChange & { readonly item: 'folder' | 'calendar' });
