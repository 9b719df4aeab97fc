import { defineWork } from '../../../kernel/work/index.ts';

/** Work that continues after the response, since a folder can contain any number of messages. */

interface FolderWork {
  /** Ids of the mailbox and of the folder. */
  readonly mailbox: string;
  readonly folder: string;
}

/** Removes the messages of a removed folder. */
export const PURGE_FOLDER = defineWork<FolderWork>('mail.purge-folder', {
  title: 'Removes the messages of a removed folder',
  subject: 'mailbox',
});

export interface CopyPayload extends FolderWork {
  /** The target folder of the copies. */
  readonly to: string;
  /** Messages that were added to the folder after this change (`MailboxState.number`) are not copied. */
  readonly upTo: number;
  /** Position of the last copied message: its receive time and its key. */
  readonly after: readonly [receivedAt: number, key: string];
}

/** Copies the next messages of a folder. */
export const COPY_MESSAGES = defineWork<CopyPayload>('mail.copy-messages', {
  title: 'Copies the messages of a folder',
  subject: 'mailbox',
});

export interface ReadStatePayload extends FolderWork {
  readonly isRead: boolean;
  /** Messages that changed after this change number keep their read state. */
  readonly upTo: number;
}

/** Marks the next messages of a folder as read or unread. */
export const MARK_MESSAGES = defineWork<ReadStatePayload>('mail.mark-messages', {
  title: 'Marks the messages of a folder as read or unread',
  subject: 'mailbox',
});

export const FOLDER_WORK = [PURGE_FOLDER, COPY_MESSAGES, MARK_MESSAGES];
