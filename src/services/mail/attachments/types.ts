import type { Message } from '../messages/types.ts';

export const ATTACHMENT_KINDS = ['file', 'item', 'reference'] as const;
export type AttachmentKind = (typeof ATTACHMENT_KINDS)[number];

export const ITEM_TYPES = ['message', 'event', 'contact'] as const;
export type ItemType = (typeof ITEM_TYPES)[number];

/** An attachment of a message or an event. Its bytes are stored as a blob. */
export interface Attachment {
  readonly uid: string;
  /** Key of its message or event, `{mailbox}/{uid}`. Absent for an attachment of an attached item. */
  readonly owner?: string;
  /** Position in lists; attachments are numbered as they are added. */
  readonly position?: number;
  readonly kind: AttachmentKind;
  readonly name: string;
  readonly contentType: string | null;
  readonly size: number;
  readonly isInline: boolean;
  readonly modifiedAt: number;
  /** Only on an invitee's event: the attachment came with the organizer's mail, and a later mail of the organizer can remove it. */
  readonly isOrganizers?: boolean;
  readonly contentId?: string;
  readonly contentLocation?: string;
  /** Name of the blob: the bytes of a file, or the item as MIME or JSON (`item.form`, an `ItemContent`). */
  readonly blob?: string;
  readonly item?: { readonly type: ItemType; readonly form: 'mime' | 'json' };
  readonly reference?: Reference;
}

export interface Reference {
  readonly sourceUrl: string;
  readonly providerType: string;
  readonly permission: string;
  readonly isFolder: boolean;
  readonly previewUrl: string | null;
  readonly thumbnailUrl: string | null;
}

/** The item of an attachment that was sent as JSON. A message has the fields of a stored message; other items are stored as sent. */
export type ItemContent =
  | { readonly type: 'message'; readonly message: Message; readonly attachments: readonly NestedAttachment[] }
  | {
      readonly type: 'event' | 'contact';
      readonly sent: Readonly<Record<string, unknown>>;
      readonly attachments: readonly NestedAttachment[];
    };

/** An attachment of an attached item. */
export interface NestedAttachment {
  readonly attachment: Attachment;
  /** Base64. */
  readonly bytes?: string;
  readonly content?: ItemContent;
}

/** Kinds of items that can have attachments. */
export type ItemKind = 'message' | 'event';
