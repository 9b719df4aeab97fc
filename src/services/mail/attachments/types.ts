import type { Message } from '../messages/types.ts';

export const ATTACHMENT_KINDS = ['file', 'item', 'reference'] as const;
export type AttachmentKind = (typeof ATTACHMENT_KINDS)[number];

export const ITEM_TYPES = ['message', 'event', 'contact'] as const;
export type ItemType = (typeof ITEM_TYPES)[number];

/** What belongs to a message or an event. Its bytes are a blob. */
export interface Attachment {
  readonly uid: string;
  /** The key of its message or event, `{mailbox}/{uid}`. An attachment of an attached item has none. */
  readonly owner?: string;
  /** Lists have the order in which attachments were added. */
  readonly position?: number;
  readonly kind: AttachmentKind;
  readonly name: string;
  readonly contentType: string | null;
  readonly size: number;
  readonly isInline: boolean;
  readonly modifiedAt: number;
  /** On the event of an invitee: it came by mail of the organizer, whose next mail can remove it. */
  readonly isOrganizers?: boolean;
  readonly contentId?: string;
  readonly contentLocation?: string;
  /** The blob: the bytes of a file, or the item as MIME or as JSON (`item.form`, an `ItemContent`). */
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

/** The item of an attachment that was given as JSON. A message has the fields of one in a folder; others are kept as they were sent. */
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

/** What has attachments. */
export type ItemKind = 'message' | 'event';
