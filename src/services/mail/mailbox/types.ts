/** A mailbox belongs to a user of the directory. It is made by the first request or mail that needs it. */
export interface Mailbox {
  /** The object id of the user, in lower case. */
  readonly id: string;
  readonly tenantId: string;
  /** `admin@vendor.example` */
  readonly address: string;
  readonly displayName: string;
  readonly createdAt: number;
  /** The uids of the folders that have a well-known name, by that name in lower case. */
  readonly wellKnown: Readonly<Record<WellKnownFolder, string>>;
  /** The uid of the calendar that every mailbox has. */
  readonly calendar: string;
  readonly calendarGroup: string;
  readonly settings: MailboxSettings;
  /** The uids of folders that were deleted for good and whose messages are being removed (`folders/purge.ts`): nothing in them is shown. */
  readonly purging?: readonly string[];
  /** Addresses in lower case, whose mail goes to the junk folder. */
  readonly blockedSenders?: readonly string[];
}

export const WELL_KNOWN_FOLDERS = [
  'archive',
  'clutter',
  'conflicts',
  'conversationhistory',
  'deleteditems',
  'drafts',
  'inbox',
  'junkemail',
  'localfailures',
  'msgfolderroot',
  'outbox',
  'recoverableitemsdeletions',
  'scheduled',
  'searchfolders',
  'sentitems',
  'serverfailures',
  'syncissues',
] as const;

export type WellKnownFolder = (typeof WELL_KNOWN_FOLDERS)[number];

export interface MailboxSettings {
  /** An IANA name. */
  readonly zone: string;
  readonly locale: string;
  readonly dateFormat: string;
  readonly timeFormat: string;
  readonly workingHours: {
    readonly daysOfWeek: readonly string[];
    readonly startTime: string;
    readonly endTime: string;
    readonly zone: string;
    /** Instead of `zone`: the rules of a zone without a name, as they are shown. */
    readonly customZone?: CustomTimeZone;
  };
  readonly automaticReplies: AutomaticReplies;
  readonly delegateMeetingMessageDeliveryOptions: DelegateDelivery;
}

export interface CustomTimeZone {
  readonly name: string;
  /** Minutes that are added to local time to get UTC. */
  readonly bias: number;
  readonly standardOffset?: ZoneChange;
  readonly daylightOffset?: ZoneChange & { readonly daylightBias: number };
}

/** When the offset of a custom time zone changes, every year. */
export interface ZoneChange {
  readonly time: string;
  readonly dayOccurrence: number;
  readonly dayOfWeek: string;
  readonly month: number;
  readonly year: number;
}

export const DELEGATE_DELIVERIES = [
  'sendToDelegateOnly',
  'sendToDelegateAndPrincipal',
  'sendToDelegateAndInformationToPrincipal',
] as const;
export type DelegateDelivery = (typeof DELEGATE_DELIVERIES)[number];

export const REPLY_STATUSES = ['disabled', 'alwaysEnabled', 'scheduled'] as const;
export const REPLY_AUDIENCES = ['none', 'contactsOnly', 'all'] as const;

export interface AutomaticReplies {
  readonly status: (typeof REPLY_STATUSES)[number];
  readonly externalAudience: (typeof REPLY_AUDIENCES)[number];
  /** Instants. */
  readonly from: number;
  readonly until: number;
  readonly internalReplyMessage: string;
  readonly externalReplyMessage: string;
}

/** What every write to a mailbox changes: read with a lock, so that the changes of one mailbox have an order. */
export interface MailboxState {
  /** Of the latest change. Every write of an item takes the next number; delta tokens are such numbers. */
  readonly number: number;
  /** Change-notification subscriptions to this mailbox: with none, a change looks for none. */
  readonly subscriptions: number;
  /** Rules of this mailbox: with none, a mail that arrives looks for none. */
  readonly rules: number;
  /** Of the latest removal that is no longer kept: delta tokens of before are of no use. */
  readonly forgotten?: number;
}
