import type { Version } from '../../api/version.ts';
import type { ItemKind } from '../types.ts';

/** The upload of a large file in ranges, one after another. By its uid. */
export interface UploadSession {
  readonly uid: string;
  readonly mailbox: string;
  /** The message or event that gets the file. `itemName` is how the client named it: `messages('AAMk…')`. */
  readonly kind: ItemKind;
  readonly item: string;
  readonly itemName: string;
  readonly version: Version;
  /** Who began it: the limits of that application apply to every range. */
  readonly application: string;
  readonly callerId: string;
  readonly callerName: string;
  readonly name: string;
  readonly contentType: string;
  readonly isInline: boolean;
  readonly contentId?: string;
  /** Of the whole file, and how many bytes of it are there. */
  readonly size: number;
  readonly received: number;
  readonly blob: string;
  /** An instant, fixed when the session begins. */
  readonly expiresAt: number;
  /** The uid of the attachment, once all bytes are there. */
  readonly attachment?: string;
}
