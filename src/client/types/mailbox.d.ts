import type { Bytes } from './bytes.d.ts';

/** A message as a mailbox holds it. Times are ISO 8601 in UTC. */
export interface TestMessage {
  readonly id: string;
  /** The Message-ID of its header. */
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
  /** The body; HTML is converted to text. */
  readonly text: string;
  readonly html: string | null;
  /** By names in lower case; several of one name are a list. */
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

/** What a message says of a meeting. */
export interface TestMeeting {
  /** `meetingRequest`, `meetingCancelled`, `meetingAccepted`, … */
  readonly type: string;
  /** `newMeetingRequest`, `fullUpdate`, …; null of anything but a request. */
  readonly requestType: string | null;
  /** `accepted`, `tentativelyAccepted` or `declined`; null of anything but an answer. */
  readonly response: string | null;
  /** The UID in iCalendar. */
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
  /** `singleInstance`, `seriesMaster`, or `exception` for a single occurrence of a series of somebody else. */
  readonly type: string;
  /** RRULE values. */
  readonly rules: readonly string[];
  readonly location: string;
  readonly organizer: string;
  readonly isOrganizer: boolean;
  readonly isCancelled: boolean;
  /** Of the owner of the mailbox: `notResponded`, `accepted`, … */
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

/** Which messages; what is not given does not matter. */
export interface MessageFilter {
  /** The whole subject, or a part of it as an expression. */
  readonly subject?: string | RegExp;
  /** The address of the sender, in any case. */
  readonly from?: string;
  readonly isRead?: boolean;
  readonly meetingMessageType?: string;
  /** Its well-known or display name. Unless given: wherever messages are that have come in, but not drafts and what was sent. */
  readonly folder?: string;
}

/** A mail from anybody. Addresses may have names (`Carol <carol@fabrikam.example>`), and aliases stand for users of the jar. */
export interface TestMail {
  readonly from?: string;
  /** The mailbox itself unless given. */
  readonly to?: string | readonly string[];
  readonly cc?: string | readonly string[];
  readonly bcc?: string | readonly string[];
  /** Recipients of the envelope; the default is all recipients in the header. */
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
  /** A meeting request, or a cancellation, that is made here. */
  readonly meeting?: {
    /** `2026-01-05T09:00:00Z`, a local time of `timeZone`, or a day; the next full hour of the jar unless given. */
    readonly start?: string;
    readonly end?: string;
    /** Instead of `end`: `45m`, `PT45M`; 30 minutes unless given. */
    readonly duration?: string;
    /** UTC unless given. */
    readonly timeZone?: string;
    readonly location?: string;
    /** The sender unless given. */
    readonly organizer?: string;
    /** Of a meeting that is updated or cancelled, with a higher `sequence` than before. */
    readonly uid?: string;
    readonly sequence?: number;
    readonly isCancelled?: boolean;
  };
}

export interface SentMail {
  readonly messageId: string;
  /** `id` is that of the message in the mailbox; null where a rule has removed the message at once. */
  readonly recipients: readonly { readonly address: string; readonly mailbox: string; readonly id: string | null }[];
}

/** Mail from a mailbox to another domain, which stayed in the jar because no relay is configured. */
export interface TestKeptMail {
  readonly id: string;
  /** One recipient: a mail to three people is kept three times. */
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
  /** The oldest first. Unless a folder is named, those that have come in. */
  messages(filter?: MessageFilter): Promise<TestMessage[]>;
  /**
   * The oldest message that `waitFor` has not given yet and that is wanted, waited for if need be. The others are still there for later calls, and
   * so is, after a restore, what had not been given yet when the snapshot was taken.
   */
  waitFor(
    wanted?: MessageFilter | ((message: TestMessage) => boolean),
    options?: { readonly timeoutMs?: number },
  ): Promise<TestMessage>;
  /** Puts a mail into the mailbox on the way of mail that comes by SMTP: a mail in parts, or a whole one as MIME. */
  send(mail: TestMail | string | Uint8Array): Promise<SentMail>;
  /** Of all its calendars, by their starts. */
  events(): Promise<TestEvent[]>;
  /** The mail of this mailbox to other domains, the oldest first. Empty where a relay is configured. */
  kept(): Promise<TestKeptMail[]>;
  /** Removes all messages. Folders and events stay. */
  clear(): Promise<void>;
}
