import type { DeliveryReport } from './delivery-status.ts';

/** A received mail: decoded, bounded, and with everything in the order of the message. */
export interface ParsedMail {
  /** Headers of the message itself, in order, with duplicates. */
  readonly headers: readonly MailHeader[];
  /** Groups are flattened. Empty if the header is missing or has no address. */
  readonly from: readonly MailAddress[];
  readonly sender?: MailAddress;
  readonly to: readonly MailAddress[];
  readonly cc: readonly MailAddress[];
  readonly bcc: readonly MailAddress[];
  readonly replyTo: readonly MailAddress[];
  readonly subject: string;
  /** The Date header as an instant (milliseconds since 1970); undefined if it is missing or not a date. */
  readonly date?: number;
  /** With angle brackets, as Graph shows message ids. */
  readonly messageId?: string;
  readonly inReplyTo?: string;
  /** With angle brackets, oldest first. */
  readonly references: readonly string[];
  readonly importance: 'low' | 'normal' | 'high';
  readonly sensitivity: 'normal' | 'personal' | 'private' | 'confidential';
  /** True if Disposition-Notification-To is present. */
  readonly isReadReceiptRequested: boolean;
  /** True if Return-Receipt-To is present. */
  readonly isDeliveryReceiptRequested: boolean;
  readonly threadTopic?: string;
  /** The base64 value of Thread-Index. */
  readonly threadIndex?: string;
  /** The `mailto:`, `https:` and `http:` entries of List-Unsubscribe, in order. */
  readonly listUnsubscribe: readonly string[];
  /** True if List-Unsubscribe-Post is `List-Unsubscribe=One-Click` (RFC 8058). */
  readonly isOneClickUnsubscribe: boolean;
  /** Auto-Submitted in lower case without its parameters, for example `auto-replied`. */
  readonly autoSubmitted?: string;
  /** The plain text body; undefined if the mail has none. Lines end with LF. */
  readonly text?: string;
  /** The HTML body, not sanitised; undefined if the mail has none. */
  readonly html?: string;
  readonly attachments: readonly MailAttachment[];
  /** All calendar parts (text/calendar, application/ics and similar types), in order. `findInvitation` chooses among them. */
  readonly calendars: readonly CalendarPart[];
}

export interface MailHeader {
  /** As written. */
  readonly name: string;
  /** Unfolded, encoded words decoded. */
  readonly value: string;
  /** As received, without name and colon, but with folds and encoded words. */
  readonly raw: string;
}

export interface MailAddress {
  /** Empty if the address has no display name. */
  readonly name: string;
  readonly address: string;
}

export interface MailAttachment {
  /** File name without path and control characters; derived from the type if the part has none. */
  readonly name: string;
  /** Lower case, without parameters: `image/png`. */
  readonly contentType: string;
  /** Without angle brackets. */
  readonly contentId?: string;
  readonly contentLocation?: string;
  /** True if the disposition is inline, or if the part belongs to a multipart/related and the HTML refers to it. */
  readonly isInline: boolean;
  readonly bytes: Buffer;
  /** True for a `message/rfc822` part: `bytes` is a complete message that `readMail` can parse. */
  readonly isMessage: boolean;
}

export interface CalendarPart {
  /** Without transfer encoding, but still in its charset. */
  readonly bytes: Buffer;
  readonly contentType: string;
  /** The method parameter in upper case; undefined if it is missing. */
  readonly method?: string;
  /** The charset parameter in lower case; undefined if it is missing. */
  readonly charset?: string;
  readonly name?: string;
  /** True inside a multipart/alternative, at any depth: the sender offers this part as an alternative of the body. */
  readonly isAlternative: boolean;
  /** True if Content-Disposition is attachment. */
  readonly isAttachment: boolean;
  /** The same part in `attachments`; undefined if the part is only an alternative of the body. */
  readonly attachment?: MailAttachment;
}

/** Limits of `readMail`. */
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

/** A mail for `composeMail` to write. Values are plain text; the composer encodes, folds and quotes them. */
export interface OutgoingMail {
  readonly from?: MailAddress;
  readonly sender?: MailAddress;
  readonly to?: readonly MailAddress[];
  readonly cc?: readonly MailAddress[];
  /** Written as a header, so leave it out of mail to other people. */
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
  /** Additional headers, for example `x-` headers of a client, written after those above. */
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
  readonly text?: string;
  readonly html?: string;
  /** A text/calendar part beside text and html. */
  readonly calendar?: { readonly method: string; readonly text: string };
  readonly attachments?: readonly OutgoingAttachment[];
  /** A report about another mail; such a mail has no body except `text`. */
  readonly report?: DeliveryReport;
  /** Makes the boundaries of this message unique: letters, digits, `.`, `_` and `-`, at most 40 characters, from the jar's ids. */
  readonly boundary: string;
}

export type OutgoingAttachment = Omit<MailAttachment, 'isMessage'> & { readonly isMessage?: boolean };
