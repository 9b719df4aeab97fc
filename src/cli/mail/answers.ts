/** The control API's answers about mail, as far as commands show them. */

export interface MailboxAnswer {
  readonly user: string;
  readonly address: string;
  readonly messages: number;
  readonly unread: number;
  readonly createdAt: string;
}

export interface MeetingAnswer {
  readonly type: string;
  readonly requestType: string | null;
  readonly start: string | null;
  readonly end: string | null;
  readonly location: string | null;
  readonly isOutOfDate: boolean;
}

export interface MessageAnswer {
  readonly id: string;
  readonly subject: string;
  readonly from: string | null;
  readonly fromName: string | null;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly receivedAt: string;
  readonly folder: string;
  readonly isRead: boolean;
  readonly isDraft: boolean;
  readonly meetingMessageType: string | null;
  readonly meeting: MeetingAnswer | null;
}

export interface AttachmentAnswer {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly contentType: string | null;
  readonly size: number;
}

export interface DetailsAnswer extends MessageAnswer {
  readonly text: string;
  readonly attachments: readonly AttachmentAnswer[];
}

export interface SentAnswer {
  readonly messageId: string;
  readonly recipients: readonly { readonly address: string; readonly mailbox: string; readonly id: string | null }[];
}

/** Mail to another domain that the jar kept instead of relaying it. */
export interface KeptAnswer {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly size: number;
  readonly at: string;
}
