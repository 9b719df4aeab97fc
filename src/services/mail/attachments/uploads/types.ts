import type { Version } from '../../api/version.ts';
import type { ItemKind } from '../types.ts';

/** An upload of a large file in consecutive ranges. The key is its uid. */
export interface UploadSession {
  readonly uid: string;
  readonly mailbox: string;
  /** The message or event that gets the file. `itemName` is the client's path to it: `messages('AAMk…')`. */
  readonly kind: ItemKind;
  readonly item: string;
  readonly itemName: string;
  readonly version: Version;
  /** The application that created the session; its limits apply to every range. */
  readonly application: string;
  readonly callerId: string;
  readonly callerName: string;
  readonly name: string;
  readonly contentType: string;
  readonly isInline: boolean;
  readonly contentId?: string;
  /** Bytes of the whole file, and bytes received so far. */
  readonly size: number;
  readonly received: number;
  readonly blob: string;
  /** An instant, set when the session is created. */
  readonly expiresAt: number;
  /** Uid of the attachment, once all bytes have been received. */
  readonly attachment?: string;
}
