/** A folder of messages. The key of its document is `{mailbox}/{uid}`. */
export interface Folder {
  readonly uid: string;
  readonly mailbox: string;
  readonly displayName: string;
  /** The uid of the folder that it is in; absent for the root. */
  readonly parent?: string;
  readonly wellKnown?: string;
  readonly isHidden: boolean;
  readonly total: number;
  readonly unread: number;
  readonly children: number;
  /** The number of its latest change (`MailboxState.number`). */
  readonly number: number;
  readonly createdNumber: number;
  /** A folder whose content is a query over others. */
  readonly search?: SearchFolder;
}

export interface SearchFolder {
  readonly filterQuery: string;
  readonly sourceFolders: readonly string[];
  readonly includeNestedFolders: boolean;
}
