import type { Reader } from '../../../kernel/store/index.ts';
import type { NeedName } from '../access/scopes.ts';
import type { MailCall } from '../api/request.ts';
import type { ItemKind } from '../attachments/types.ts';
import { itemKey } from '../mailbox/create.ts';
import type { Mailbox } from '../mailbox/types.ts';
import type { MailboxWriter } from '../mailbox/writer.ts';
import type { Extras } from '../messages/types.ts';
import type { ItemDocument } from './item-document.ts';

/**
 * The common part of messages and events: attachments, open extensions and extended properties. Their code works on an `Item`; each kind
 * implements how an item is found and written.
 */

export interface ItemChange extends Extras {
  readonly hasAttachments?: boolean;
  /** Total size of the added or removed attachments, by which the size of the item changes. */
  readonly attachedBytes?: number;
}

/** A message or an event. */
export interface Item {
  readonly kind: ItemKind;
  readonly document: ItemDocument;
  /** The id that the client sees. */
  id(call: MailCall): string;
  /** Writes the change and returns the changed item. */
  change(writer: MailboxWriter, change: ItemChange): Promise<Item>;
}

/** Access to the items of a kind. */
export interface ItemSource {
  readonly kind: ItemKind;
  /** Name of the set in paths and contexts. */
  readonly set: 'messages' | 'events';
  readonly needs: { readonly read: NeedName; readonly write: NeedName };
  /** The item that the path names. */
  find(call: MailCall, reader?: Reader): Promise<Item>;
  /** Undefined if the item does not exist. */
  load(reader: Reader, mailbox: Mailbox, uid: string): Promise<Item | undefined>;
}

/** Key prefix of the item's attachments. */
export const keyOfItem = ({ document }: Item): string => itemKey(document.mailbox, document.uid);

/** `messages('AAMk…')`: the name in contexts, independent of the request's path. */
export const itemName = ({ set }: ItemSource, call: MailCall, item: Item): string => `${set}('${item.id(call)}')`;

/** For the summaries of operations. */
export const withArticle = (kind: ItemKind): string => (kind === 'event' ? 'an event' : 'a message');
