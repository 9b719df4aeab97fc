/** A mail folder. The key of its document is `{mailbox}/{uid}`. */
export interface Folder {
  readonly uid: string;
  readonly mailbox: string;
  readonly displayName: string;
  /** Uid of the parent folder; absent for the root. */
  readonly parent?: string;
  readonly wellKnown?: string;
  readonly isHidden: boolean;
  readonly total: number;
  readonly unread: number;
  readonly children: number;
  /** Number of the latest change (`MailboxState.number`). */
  readonly number: number;
  readonly createdNumber: number;
  /** Set for a search folder: its content is a query over other folders. */
  readonly search?: SearchFolder;
}

export interface SearchFolder {
  readonly filterQuery: string;
  readonly sourceFolders: readonly string[];
  readonly includeNestedFolders: boolean;
}
