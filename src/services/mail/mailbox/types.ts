/** A mailbox of a directory user. It is created by the first request or mail that needs it. */
export interface Mailbox {
  /** Object id of the user in lower case. */
  readonly id: string;
  readonly tenantId: string;
  /** For example `admin@vendor.example`. */
  readonly address: string;
  readonly displayName: string;
  readonly createdAt: number;
  /** Uids of well-known folders, by well-known name in lower case. */
  readonly wellKnown: Readonly<Record<WellKnownFolder, string>>;
  /** Uid of the default calendar. */
  readonly calendar: string;
  readonly calendarGroup: string;
  readonly settings: MailboxSettings;
  /** Uids of permanently deleted folders whose messages are still being removed (`folders/purge.ts`); their messages are not shown. */
  readonly purging?: readonly string[];
  /** Addresses in lower case whose mail goes to the junk folder. */
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
    /** Rules of a zone without a name, as they are shown; replaces `zone`. */
    readonly customZone?: CustomTimeZone;
  };
  readonly automaticReplies: AutomaticReplies;
  readonly delegateMeetingMessageDeliveryOptions: DelegateDelivery;
}

export interface CustomTimeZone {
  readonly name: string;
  /** Minutes to add to local time to get UTC. */
  readonly bias: number;
  readonly standardOffset?: ZoneChange;
  readonly daylightOffset?: ZoneChange & { readonly daylightBias: number };
}

/** The yearly offset change of a custom time zone. */
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

/** State that every write to a mailbox changes. It is read with a lock, which orders the changes of a mailbox. */
export interface MailboxState {
  /** Number of the latest change. Every write of an item takes the next number; delta tokens contain such numbers. */
  readonly number: number;
  /** Number of change-notification subscriptions. If it is 0, a change does not query for them. */
  readonly subscriptions: number;
  /** Number of rules. If it is 0, an arriving mail does not query for them. */
  readonly rules: number;
  /** Number of the latest deleted removal record. Older delta tokens are invalid. */
  readonly forgotten?: number;
}
