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
  /** The owner of the mailbox is mentioned. */
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

/** Open extensions by name, and extended properties by id: on messages and events alike. */
export interface Extras {
  readonly extensions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly single?: Readonly<Record<string, string>>;
  readonly multi?: Readonly<Record<string, readonly string[]>>;
}

/** A message. The key of its document is `{mailbox}/{uid}`. Times are instants. */
export interface Message extends Extras {
  readonly uid: string;
  readonly mailbox: string;
  /** The uid of its folder. */
  readonly folder: string;
  /** How often it has moved: part of its regular id. */
  readonly generation: number;
  /** Of its latest change and of its creation in this folder (`MailboxState.number`). */
  readonly number: number;
  readonly createdNumber: number;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly receivedAt: number;
  readonly sentAt: number;
  readonly subject: string;
  readonly body: ItemBody;
  /** The body without the earlier messages that it quotes; absent where that is all of it. */
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
  /** Of earlier messages: for `In-Reply-To` and `References` of a draft that answers one. */
  readonly references?: readonly string[];
  readonly hasAttachments: boolean;
  /** For searches; those that are shown inside of the body too. */
  readonly attachmentNames?: readonly string[];
  readonly mentions: readonly Mention[];
  readonly unsubscribe: readonly string[];
  /** Bytes, with attachments. */
  readonly size: number;
  /** The blob with the message as it came or went (RFC 5322), or as a client gave a draft. */
  readonly source?: string;
  /** iCalendar that goes out with a draft, such as one that forwards an invitation. What was sent has it in its source. */
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

/** What a message says of a meeting: the properties that eventMessage, eventMessageRequest and eventMessageResponse add. */
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
  /** The meeting: its UID in iCalendar, and which occurrence (`2026-01-31`). */
  readonly uid: string;
  readonly occurrence?: string;
  readonly sequence: number;
  /** DTSTAMP, an instant. */
  readonly stamp: number;
  /** The uid of the event in this mailbox, or in that of the principal. */
  readonly event?: string;
  /** In the mailbox of a delegate: the id of the mailbox whose calendar has the meeting. */
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

/** As Graph has it; kept as it is shown. */
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
