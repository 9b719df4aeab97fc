import type { PatternedRecurrence } from '../recurrence/types.ts';
import type { ZonedTime } from '../zones/wall.ts';

export interface Address {
  readonly name: string;
  readonly address: string;
}

export interface ItemBody {
  readonly contentType: 'text' | 'html';
  readonly content: string;
}

export const IMPORTANCES = ['low', 'normal', 'high'] as const;
export type Importance = (typeof IMPORTANCES)[number];
export const INFERENCES = ['focused', 'other'] as const;
export type Inference = (typeof INFERENCES)[number];
export const FLAG_STATUSES = ['notFlagged', 'complete', 'flagged'] as const;

export interface FollowupFlag {
  readonly flagStatus: (typeof FLAG_STATUSES)[number];
  readonly start?: ZonedTime;
  readonly due?: ZonedTime;
  readonly completed?: ZonedTime;
}

export interface Header {
  readonly name: string;
  readonly value: string;
}

export interface Mention {
  readonly id: string;
  readonly mentioned: Address;
  /** True if the owner of the mailbox is mentioned. */
  readonly isOwner: boolean;
  readonly createdBy: Address;
  /** Instants. */
  readonly createdAt: number;
  readonly serverCreatedAt: number;
  readonly mentionText?: string;
  readonly clientReference?: string;
  readonly deepLink?: string;
  readonly application?: string;
}

/** Open extensions by name and extended properties by id, on messages and events. */
export interface Extras {
  readonly extensions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly single?: Readonly<Record<string, string>>;
  readonly multi?: Readonly<Record<string, readonly string[]>>;
}

/** A message. The key of its document is `{mailbox}/{uid}`. Times are instants. */
export interface Message extends Extras {
  readonly uid: string;
  readonly mailbox: string;
  /** Uid of the folder. */
  readonly folder: string;
  /** Number of moves; part of the regular id. */
  readonly generation: number;
  /** Numbers of the latest change and of the creation in this folder (`MailboxState.number`). */
  readonly number: number;
  readonly createdNumber: number;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly receivedAt: number;
  readonly sentAt: number;
  readonly subject: string;
  readonly body: ItemBody;
  /** The body without quoted earlier messages; absent if the body quotes none. */
  readonly uniqueBody?: ItemBody;
  readonly bodyPreview: string;
  readonly from?: Address;
  readonly sender?: Address;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  readonly replyTo: readonly Address[];
  readonly conversationId: string;
  /** Base64. */
  readonly conversationIndex: string;
  readonly importance: Importance;
  readonly inference: Inference;
  readonly isRead: boolean;
  readonly isDraft: boolean;
  readonly isDeliveryReceiptRequested: boolean | null;
  readonly isReadReceiptRequested: boolean;
  readonly categories: readonly string[];
  readonly flag: FollowupFlag;
  readonly internetMessageId: string;
  readonly headers: readonly Header[];
  /** Ids of earlier messages, for `In-Reply-To` and `References` of a reply draft. */
  readonly references?: readonly string[];
  readonly hasAttachments: boolean;
  /** Names for searches, including attachments that the body shows inline. */
  readonly attachmentNames?: readonly string[];
  readonly mentions: readonly Mention[];
  readonly unsubscribe: readonly string[];
  /** Bytes, including attachments. */
  readonly size: number;
  /** Blob with the MIME source: as received or sent (RFC 5322), or as a client supplied a draft. */
  readonly source?: string;
  /** iCalendar that a draft sends, for example when it forwards an invitation. A sent message has it in its source. */
  readonly calendar?: { readonly method: string; readonly text: string };
  readonly meeting?: MeetingMessage;
}

export const MEETING_MESSAGE_TYPES = [
  'none',
  'meetingRequest',
  'meetingCancelled',
  'meetingAccepted',
  'meetingTentativelyAccepted',
  'meetingDeclined',
] as const;
export type MeetingMessageType = (typeof MEETING_MESSAGE_TYPES)[number];

export const MEETING_REQUEST_TYPES = [
  'none',
  'newMeetingRequest',
  'fullUpdate',
  'informationalUpdate',
  'silentUpdate',
  'outdated',
  'principalWantsCopy',
] as const;
export type MeetingRequestType = (typeof MEETING_REQUEST_TYPES)[number];

export const EVENT_TYPES = ['singleInstance', 'occurrence', 'exception', 'seriesMaster'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Meeting properties of a message: those that eventMessage, eventMessageRequest and eventMessageResponse add. */
export interface MeetingMessage {
  readonly kind: 'eventMessage' | 'eventMessageRequest' | 'eventMessageResponse';
  readonly messageType: MeetingMessageType;
  readonly start?: ZonedTime;
  readonly end?: ZonedTime;
  readonly isAllDay: boolean;
  readonly isDelegated: boolean;
  readonly isOutOfDate: boolean;
  readonly location?: Location;
  readonly recurrence?: PatternedRecurrence;
  readonly type: EventType;
  /** The meeting: its iCalendar UID, and the day of the occurrence (`2026-01-31`). */
  readonly uid: string;
  readonly occurrence?: string;
  readonly sequence: number;
  /** DTSTAMP as an instant. */
  readonly stamp: number;
  /** Uid of the event in this mailbox, or in the principal's mailbox. */
  readonly event?: string;
  /** Only in a delegate's mailbox: the id of the mailbox whose calendar has the meeting. */
  readonly principal?: string;
  readonly request?: {
    readonly type: MeetingRequestType;
    readonly allowNewTimeProposals: boolean;
    readonly responseRequested: boolean;
    readonly previousStart?: ZonedTime;
    readonly previousEnd?: ZonedTime;
    readonly previousLocation?: Location;
  };
  readonly response?: {
    readonly type: 'accepted' | 'tentativelyAccepted' | 'declined';
    readonly proposedNewTime?: { readonly start: ZonedTime; readonly end: ZonedTime };
  };
}

/** A location in Graph's form, stored as it is shown. */
export interface Location {
  readonly displayName: string;
  readonly locationType: string;
  readonly uniqueId?: string;
  readonly uniqueIdType: string;
  readonly address?: Readonly<Record<string, string>>;
  readonly coordinates?: Readonly<Record<string, number>>;
  readonly locationEmailAddress?: string;
  readonly locationUri?: string;
}
