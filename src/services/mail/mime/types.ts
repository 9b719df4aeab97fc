import type { DeliveryReport } from './delivery-status.ts';

/** A mail as it was received: decoded, bounded, and with everything in the order of the message. */
export interface ParsedMail {
  /** The header of the message itself, in order, duplicates included. */
  readonly headers: readonly MailHeader[];
  /** Groups are flattened. Empty when the header is missing or has no address. */
  readonly from: readonly MailAddress[];
  readonly sender?: MailAddress;
  readonly to: readonly MailAddress[];
  readonly cc: readonly MailAddress[];
  readonly bcc: readonly MailAddress[];
  readonly replyTo: readonly MailAddress[];
  readonly subject: string;
  /** Date as an instant (milliseconds since 1970); undefined when missing or not a date. */
  readonly date?: number;
  /** With angle brackets, as Graph shows it. */
  readonly messageId?: string;
  readonly inReplyTo?: string;
  /** With angle brackets, oldest first. */
  readonly references: readonly string[];
  readonly importance: 'low' | 'normal' | 'high';
  readonly sensitivity: 'normal' | 'personal' | 'private' | 'confidential';
  /** Disposition-Notification-To is present. */
  readonly isReadReceiptRequested: boolean;
  /** Return-Receipt-To is present. */
  readonly isDeliveryReceiptRequested: boolean;
  readonly threadTopic?: string;
  /** Base64 as it stands in Thread-Index. */
  readonly threadIndex?: string;
  /** The `mailto:`, `https:` and `http:` entries of List-Unsubscribe, in order. */
  readonly listUnsubscribe: readonly string[];
  /** List-Unsubscribe-Post: List-Unsubscribe=One-Click (RFC 8058). */
  readonly isOneClickUnsubscribe: boolean;
  /** Auto-Submitted in lower case without its parameters, for example `auto-replied`. */
  readonly autoSubmitted?: string;
  /** The plain text body; undefined when the mail has none. Lines end with LF. */
  readonly text?: string;
  /** The HTML body, not sanitised; undefined when the mail has none. */
  readonly html?: string;
  readonly attachments: readonly MailAttachment[];
  /** Every calendar part (text/calendar, application/ics and the like), in order. `findInvitation` chooses among them. */
  readonly calendars: readonly CalendarPart[];
}

export interface MailHeader {
  /** As written. */
  readonly name: string;
  /** Unfolded, encoded words decoded. */
  readonly value: string;
  /** As received, without name and colon: folds, encoded words and all. */
  readonly raw: string;
}

export interface MailAddress {
  /** Empty when there is none. */
  readonly name: string;
  readonly address: string;
}

export interface MailAttachment {
  /** The file name; made up from the type when the part has none. Without path and control characters. */
  readonly name: string;
  /** Lower case, without parameters: `image/png`. */
  readonly contentType: string;
  /** Without angle brackets. */
  readonly contentId?: string;
  readonly contentLocation?: string;
  /** Disposition inline, or a part of multipart/related that the HTML refers to. */
  readonly isInline: boolean;
  readonly bytes: Buffer;
  /** A `message/rfc822` part: `bytes` is a whole message that `readMail` can read again. */
  readonly isMessage: boolean;
}

export interface CalendarPart {
  /** Transfer encoding removed, charset not. */
  readonly bytes: Buffer;
  readonly contentType: string;
  /** The method parameter in upper case; undefined when missing. */
  readonly method?: string;
  /** The charset parameter in lower case; undefined when missing. */
  readonly charset?: string;
  readonly name?: string;
  /** Inside a multipart/alternative, at any depth: the sender offers this part as a form of the body. */
  readonly isAlternative: boolean;
  /** Content-Disposition is attachment. */
  readonly isAttachment: boolean;
  /** The same part in `attachments`; undefined for a part that is only a form of the body. */
  readonly attachment?: MailAttachment;
}

/** What `readMail` refuses to go beyond. */
export interface MailBounds {
  readonly bytes: number;
  readonly nesting: number;
  readonly parts: number;
  /** Of all header sections together. */
  readonly headerBytes: number;
  readonly headerLines: number;
  /** In From, Sender, To, Cc, Bcc and Reply-To together. */
  readonly addresses: number;
}

/** A mail to be written by `composeMail`. Values are plain text; encoding, folding and quoting is the composer's. */
export interface OutgoingMail {
  readonly from?: MailAddress;
  readonly sender?: MailAddress;
  readonly to?: readonly MailAddress[];
  readonly cc?: readonly MailAddress[];
  /** Written as a header: leave it out of what goes to other people. */
  readonly bcc?: readonly MailAddress[];
  readonly replyTo?: readonly MailAddress[];
  readonly subject: string;
  /** An instant. */
  readonly date: number;
  /** With angle brackets. */
  readonly messageId: string;
  readonly inReplyTo?: string;
  readonly references?: readonly string[];
  readonly importance?: 'low' | 'normal' | 'high';
  readonly sensitivity?: 'normal' | 'personal' | 'private' | 'confidential';
  readonly readReceiptTo?: MailAddress;
  readonly deliveryReceiptTo?: MailAddress;
  readonly threadTopic?: string;
  readonly threadIndex?: string;
  readonly autoSubmitted?: string;
  /** Further headers, for example the `x-` ones of a client, after those above. */
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
  readonly text?: string;
  readonly html?: string;
  /** A text/calendar part beside text and html. */
  readonly calendar?: { readonly method: string; readonly text: string };
  readonly attachments?: readonly OutgoingAttachment[];
  /** A report about another mail: it has `text` and nothing else beside it. */
  readonly report?: DeliveryReport;
  /** Distinguishes the boundaries of this message: letters, digits, `.`, `_` and `-`, at most 40 characters, from the jar's ids. */
  readonly boundary: string;
}

export type OutgoingAttachment = Omit<MailAttachment, 'isMessage'> & { readonly isMessage?: boolean };
