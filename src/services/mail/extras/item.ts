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
 * What messages and events have in common: attachments, open extensions and extended properties. The code of these is written against an item, and
 * once for each kind it is said how an item is found and written.
 */

export interface ItemChange extends Extras {
  readonly hasAttachments?: boolean;
  /** Of all attachments together, by which the size of the item changes. */
  readonly attachedBytes?: number;
}

/** One message or event. */
export interface Item {
  readonly kind: ItemKind;
  readonly document: ItemDocument;
  /** As the client gets it. */
  id(call: MailCall): string;
  /** Writes the item as changed; gives the changed one. */
  change(writer: MailboxWriter, change: ItemChange): Promise<Item>;
}

/** How the items of a kind are found. */
export interface ItemSource {
  readonly kind: ItemKind;
  /** `messages`: the set in paths and contexts. */
  readonly set: 'messages' | 'events';
  readonly needs: { readonly read: NeedName; readonly write: NeedName };
  /** The item that the path names. */
  find(call: MailCall, reader?: Reader): Promise<Item>;
  /** Undefined where it is gone. */
  load(reader: Reader, mailbox: Mailbox, uid: string): Promise<Item | undefined>;
}

/** The key under which attachments of an item are kept. */
export const keyOfItem = ({ document }: Item): string => itemKey(document.mailbox, document.uid);

/** `messages('AAMk…')`: what contexts name, however the path led to the item. */
export const itemName = ({ set }: ItemSource, call: MailCall, item: Item): string => `${set}('${item.id(call)}')`;

/** For the summaries of operations. */
export const withArticle = (kind: ItemKind): string => (kind === 'event' ? 'an event' : 'a message');
