export const ATTACHMENT_KINDS = ['file', 'item', 'reference'] as const;

/** What belongs to a message or an event. Its bytes are a blob. */
export interface Attachment {
  readonly uid: string;
  readonly kind: (typeof ATTACHMENT_KINDS)[number];
  readonly name: string;
  readonly contentType: string | null;
  readonly size: number;
  readonly isInline: boolean;
  readonly modifiedAt: number;
  readonly contentId?: string;
  readonly contentLocation?: string;
  /** The blob: the bytes of a file, or the item as MIME or as JSON (`item.form`). */
  readonly blob?: string;
  readonly item?: { readonly type: 'message' | 'event' | 'contact'; readonly form: 'mime' | 'json' };
  readonly reference?: {
    readonly sourceUrl: string;
    readonly providerType: string;
    readonly permission: string;
    readonly isFolder: boolean;
    readonly previewUrl: string | null;
    readonly thumbnailUrl: string | null;
  };
}
