import type { Bytes } from './bytes.d.ts';

/** A message in a mailbox. Times are ISO 8601 in UTC. */
export interface TestMessage {
  readonly id: string;
  /** The Message-ID header. */
  readonly messageId: string;
  readonly subject: string;
  /** The address of the sender. */
  readonly from: string | null;
  readonly fromName: string | null;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly receivedAt: string;
  /** The display name of its folder. */
  readonly folder: string;
  readonly isRead: boolean;
  readonly isDraft: boolean;
  readonly hasAttachments: boolean;
  readonly size: number;
  /** The body; an HTML body is converted to text. */
  readonly text: string;
  readonly html: string | null;
  /** By lower-case name; repeated headers are a list. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly attachments: readonly TestAttachment[];
  readonly meetingMessageType: string | null;
  readonly meeting: TestMeeting | null;
  /** The whole message as MIME. */
  source(): Promise<Bytes>;
}

export interface TestAttachment {
  readonly id: string;
  readonly name: string;
  readonly contentType: string | null;
  readonly size: number;
  readonly isInline: boolean;
  bytes(): Promise<Bytes>;
}

/** The meeting that a message is about. */
export interface TestMeeting {
  /** `meetingRequest`, `meetingCancelled`, `meetingAccepted`, … */
  readonly type: string;
  /** `newMeetingRequest`, `fullUpdate`, …; null unless it is a request. */
  readonly requestType: string | null;
  /** `accepted`, `tentativelyAccepted` or `declined`; null unless it is a response. */
  readonly response: string | null;
  /** The iCalendar UID. */
  readonly uid: string;
  readonly start: string | null;
  readonly end: string | null;
  readonly timeZone: string | null;
  readonly isAllDay: boolean;
  readonly location: string | null;
  readonly isOutOfDate: boolean;
}

/** An event of a calendar of the mailbox. A series is one event. */
export interface TestEvent {
  readonly id: string;
  readonly uid: string;
  readonly subject: string;
  readonly start: string;
  readonly end: string;
  readonly timeZone: string;
  readonly isAllDay: boolean;
  /** `singleInstance`, `seriesMaster`, or `exception` for a single occurrence of another organizer's series. */
  readonly type: string;
  /** RRULE values. */
  readonly rules: readonly string[];
  readonly location: string;
  readonly organizer: string;
  readonly isOrganizer: boolean;
  readonly isCancelled: boolean;
  /** Response of the mailbox owner: `notResponded`, `accepted`, … */
  readonly response: string;
  readonly showAs: string;
  readonly attendees: readonly {
    readonly address: string;
    readonly name: string;
    readonly type: string;
    readonly response: string;
  }[];
  readonly sequence: number;
  readonly createdAt: string;
}

/** Selects messages; properties that are left out match everything. */
export interface MessageFilter {
  /** The whole subject, or a regular expression that matches a part of it. */
  readonly subject?: string | RegExp;
  /** The address of the sender, case-insensitive. */
  readonly from?: string;
  readonly isRead?: boolean;
  readonly meetingMessageType?: string;
  /** Its well-known or display name. Default: all folders with received messages, but not drafts and sent messages. */
  readonly folder?: string;
}

/**
 * A mail from any sender. Addresses may have names (`Carol <carol@fabrikam.example>`); aliases are replaced by the addresses of the jar's
 * users.
 */
export interface TestMail {
  readonly from?: string;
  /** Default: the mailbox itself. */
  readonly to?: string | readonly string[];
  readonly cc?: string | readonly string[];
  readonly bcc?: string | readonly string[];
  /** Envelope recipients, if they differ from the addresses in the header. */
  readonly recipients?: string | readonly string[];
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string;
  readonly attachments?: readonly {
    readonly name: string;
    readonly contentType?: string;
    readonly content: string | Uint8Array;
  }[];
  /** The text of an iCalendar object with a METHOD. */
  readonly calendar?: string;
  /** A meeting request or cancellation to generate. */
  readonly meeting?: {
    /** `2026-01-05T09:00:00Z`, a local time of `timeZone`, or a day. Default: the next full hour by the jar's clock. */
    readonly start?: string;
    readonly end?: string;
    /** Instead of `end`: `45m`, `PT45M`. Default: 30 minutes. */
    readonly duration?: string;
    /** Default: UTC. */
    readonly timeZone?: string;
    readonly location?: string;
    /** Default: the sender. */
    readonly organizer?: string;
    /** UID of the meeting that is updated or cancelled; requires a higher `sequence` than before. */
    readonly uid?: string;
    readonly sequence?: number;
    readonly isCancelled?: boolean;
  };
}

export interface SentMail {
  readonly messageId: string;
  /** `id` identifies the message in the mailbox; null if a rule removed it immediately. */
  readonly recipients: readonly { readonly address: string; readonly mailbox: string; readonly id: string | null }[];
}

/** Mail from a mailbox to another domain, kept in the jar because no relay is configured. */
export interface TestKeptMail {
  readonly id: string;
  /** One recipient: a mail to three recipients is kept three times. */
  readonly to: string;
  readonly subject: string;
  readonly messageId: string;
  readonly at: string;
  /** The whole mail as MIME. */
  source(): Promise<Bytes>;
}

export interface TestMailbox {
  /** `admin@vendor.example` */
  address(): Promise<string>;
  /** Oldest first. Default: received messages of all folders. */
  messages(filter?: MessageFilter): Promise<TestMessage[]>;
  /**
   * The oldest matching message that `waitFor` has not returned yet; waits for one if necessary. Other messages remain for later calls.
   * After a restore, `waitFor` returns the messages again that it had not returned when the snapshot was taken.
   */
  waitFor(
    wanted?: MessageFilter | ((message: TestMessage) => boolean),
    options?: { readonly timeoutMs?: number },
  ): Promise<TestMessage>;
  /** Delivers a mail to the mailbox, processed like mail over SMTP: given in parts, or as a complete MIME message. */
  send(mail: TestMail | string | Uint8Array): Promise<SentMail>;
  /** The events of all its calendars, ordered by start. */
  events(): Promise<TestEvent[]>;
  /** Mail of this mailbox to other domains, oldest first. Empty if a relay is configured. */
  kept(): Promise<TestKeptMail[]>;
  /** Removes all messages. Folders and events stay. */
  clear(): Promise<void>;
}
