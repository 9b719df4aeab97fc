import { defineWork } from '../../../kernel/work/index.ts';

/** What goes on after the answer to a request, since a folder may hold any number of messages. */

interface FolderWork {
  /** The ids of the mailbox and of the folder. */
  readonly mailbox: string;
  readonly folder: string;
}

/** Removes the messages of a folder that is gone. */
export const PURGE_FOLDER = defineWork<FolderWork>('mail.purge-folder');

export interface CopyPayload extends FolderWork {
  /** The folder that the copies go into. */
  readonly to: string;
  /** Messages that came into the folder after this change (`MailboxState.number`) are not copied. */
  readonly upTo: number;
  /** The position of the latest message that was copied: when it was received, and its key. */
  readonly after: readonly [receivedAt: number, key: string];
}

/** Copies the next messages of a folder. */
export const COPY_MESSAGES = defineWork<CopyPayload>('mail.copy-messages');

export interface ReadStatePayload extends FolderWork {
  readonly isRead: boolean;
  /** Messages that changed later keep the state that they have by then. */
  readonly upTo: number;
}

/** Marks the next messages of a folder as read or unread. */
export const MARK_MESSAGES = defineWork<ReadStatePayload>('mail.mark-messages');

export const FOLDER_WORK = [PURGE_FOLDER, COPY_MESSAGES, MARK_MESSAGES];
