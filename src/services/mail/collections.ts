import { newClientState, plainAddress } from '../../kernel/delivery/index.ts';
import { boolean, collection, number, set, text } from '../../kernel/store/index.ts';
import type { Attachment } from './attachments/types.ts';
import type { UploadSession } from './attachments/uploads/types.ts';
import { shownUid } from './calendar/ical-uid.ts';
import { shownEnd, shownStart } from './calendar/times.ts';
import { type Calendar, type CalendarEvent, type CalendarGroup, eventTypeOf, isOccurrence } from './calendar/types.ts';
import type { Folder } from './folders/types.ts';
import { mailboxMark, writeContainerId } from './mailbox/ids.ts';
import type { Mailbox, MailboxState } from './mailbox/types.ts';
import type { MeetingRecord } from './meetings/types.ts';
import { uidKey } from './meetings/uid.ts';
import { searchedTexts } from './messages/searched.ts';
import type { Message } from './messages/types.ts';
import type { Endpoint, Subscription } from './notifications/types.ts';
import type { Category, InferenceOverride } from './outlook/types.ts';
import type { MessageRule } from './rules/types.ts';
import type { KeptMail, KeptTotals, QueuedMail } from './sending/types.ts';

const lower = (value: string | undefined): string | undefined => value?.toLowerCase();

/** Keyed by the id of the user. */
export const mailboxes = collection<Mailbox>('mail.mailboxes', {
  fields: { address: text((it) => it.address.toLowerCase()) },
  indexes: [['address']],
  cached: true,
});

/** The mailbox of an address, keyed by the address in lower case. Cached, since every arriving mail looks it up several times. */
export const mailAddresses = collection<{ readonly mailbox: string }>('mail.addresses', { cached: true });

/** Keyed by the id of the user. Separate from the mailbox, since every write to a mailbox changes it. */
export const mailboxStates = collection<MailboxState>('mail.states');

/** Keyed by `{mailbox}/{uid}`. */
export const folders = collection<Folder>('mail.folders', {
  fields: {
    mailbox: text((it) => it.mailbox),
    parent: text((it) => it.parent),
    displayName: text((it) => it.displayName.toLowerCase()),
    isHidden: boolean((it) => it.isHidden),
    isSearch: boolean((it) => it.search !== undefined),
    wellKnown: text((it) => it.wellKnown),
    total: number((it) => it.total),
    unread: number((it) => it.unread),
    children: number((it) => it.children),
    number: number((it) => it.number),
  },
  indexes: [
    ['parent', 'displayName'],
    ['mailbox', 'number'],
  ],
});

/** Extended properties as a set: `any(p: p/id eq '…' and p/value eq '…')` becomes a lookup of one entry. */
export const extraEntry = (id: string, value: string): string => `${id.toLowerCase()}\u0001${value}`;

/** Keyed by `{mailbox}/{uid}`. Fields that are compared case-insensitively are in lower case. */
export const messages = collection<Message>('mail.messages', {
  fields: {
    mailbox: text((it) => it.mailbox),
    folder: text((it) => it.folder),
    number: number((it) => it.number),
    createdNumber: number((it) => it.createdNumber),
    receivedAt: number((it) => it.receivedAt),
    sentAt: number((it) => it.sentAt),
    size: number((it) => it.size),
    createdAt: number((it) => it.createdAt),
    modifiedAt: number((it) => it.modifiedAt),
    subject: text((it) => it.subject.toLowerCase()),
    bodyPreview: text((it) => it.bodyPreview.toLowerCase()),
    fromAddress: text((it) => lower(it.from?.address)),
    fromName: text((it) => lower(it.from?.name)),
    senderAddress: text((it) => lower(it.sender?.address)),
    senderName: text((it) => lower(it.sender?.name)),
    isRead: boolean((it) => it.isRead),
    isDraft: boolean((it) => it.isDraft),
    hasAttachments: boolean((it) => it.hasAttachments),
    importance: text((it) => it.importance),
    inference: text((it) => it.inference),
    flagStatus: text((it) => it.flag.flagStatus),
    categories: set((it) => it.categories),
    conversationId: text((it) => it.conversationId),
    internetMessageId: text((it) => it.internetMessageId),
    parentFolderId: text((it) => writeContainerId(mailboxMark(it.mailbox), it.folder)),
    meetingMessageType: text((it) => it.meeting?.messageType),
    meetingUid: text((it) => it.meeting && uidKey(it.meeting.uid)),
    isMentioned: boolean((it) => it.mentions.some(({ isOwner }) => isOwner)),
    extensions: set((it) => Object.keys(it.extensions ?? {}).map((name) => name.toLowerCase())),
    single: set((it) => Object.entries(it.single ?? {}).map(([id, value]) => extraEntry(id, value))),
    multi: set((it) =>
      Object.entries(it.multi ?? {}).flatMap(([id, values]) => values.map((value) => extraEntry(id, value))),
    ),
  },
  indexes: [
    ['mailbox', 'receivedAt', 'createdNumber'],
    ['folder', 'receivedAt', 'createdNumber'],
    ['mailbox', 'sentAt', 'createdNumber'],
    ['folder', 'number'],
    ['mailbox', 'isRead', 'receivedAt', 'createdNumber'],
    ['mailbox', 'fromAddress', 'receivedAt', 'createdNumber'],
    ['conversationId'],
    ['mailbox', 'internetMessageId'],
    ['mailbox', 'meetingUid'],
  ],
  search: { parts: ['subject', 'from', 'to', 'cc', 'bcc', 'attachment', 'body'], within: 'mailbox', of: searchedTexts },
  wide: true,
});

/** Keyed by `{mailbox}/{uid of the item}/{uid of the attachment}`. */
export const attachments = collection<Attachment>('mail.attachments', {
  fields: {
    name: text((it) => it.name.toLowerCase()),
    size: number((it) => it.size),
    position: number((it) => it.position),
    owner: text((it) => it.owner),
  },
  indexes: [['owner']],
});

/** Keyed by the uid of the session. */
export const uploadSessions = collection<UploadSession>('mail.upload_sessions');

/** The pieces of blobs, keyed by `{blob}/{number of the piece}`. */
export const blobPieces = collection<BlobPiece>('mail.blobs', { wide: true });

export interface BlobPiece {
  /** Base64. */
  readonly bytes: string;
}

/** Keyed by `{mailbox}/{uid}`. */
export const calendars = collection<Calendar>('mail.calendars', {
  fields: {
    mailbox: text((it) => it.mailbox),
    uid: text((it) => it.uid),
    group: text((it) => it.group),
    name: text((it) => it.name.toLowerCase()),
    isDefault: boolean((it) => it.isDefault),
    number: number((it) => it.number),
  },
  indexes: [['mailbox', 'name']],
});

/** Keyed by `{mailbox}/{uid}`. */
export const calendarGroups = collection<CalendarGroup>('mail.calendar_groups', {
  fields: { mailbox: text((it) => it.mailbox), name: text((it) => it.name.toLowerCase()) },
  indexes: [['mailbox', 'name']],
});

/** Keyed by `{mailbox}/{uid}`. A series is one document. */
export const events = collection<CalendarEvent>('mail.events', {
  fields: {
    mailbox: text((it) => it.mailbox),
    calendar: text((it) => it.calendar),
    number: number((it) => it.number),
    spanFrom: number((it) => it.spanFrom),
    spanTo: number((it) => it.spanTo),
    iCalUid: text((it) => it.iCalUid),
    meetingKey: text((it) => uidKey(it.iCalUid)),
    transactionId: text((it) => it.transactionId),
    subject: text((it) => it.subject.toLowerCase()),
    createdAt: number((it) => it.createdAt),
    modifiedAt: number((it) => it.modifiedAt),
    isAllDay: boolean((it) => it.isAllDay),
    isCancelled: boolean((it) => it.isCancelled),
    isOrganizer: boolean((it) => it.isOrganizer),
    showAs: text((it) => it.showAs),
    importance: text((it) => it.importance),
    sensitivity: text((it) => it.sensitivity),
    organizer: text((it) => it.organizer.address.toLowerCase()),
    type: text((it) => eventTypeOf(it)),
    startAt: number((it) => shownStart(it)),
    endAt: number((it) => shownEnd(it)),
    shownUid: text((it) => shownUid(it)),
    masterUid: text((it) => (isOccurrence(it) ? it.uid : undefined)),
    hasAttachments: boolean((it) => it.hasAttachments),
    isReminderOn: boolean((it) => it.isReminderOn),
    isOnlineMeeting: boolean((it) => it.isOnlineMeeting),
    organizerName: text((it) => it.organizer.name.toLowerCase()),
    categories: set((it) => it.categories),
    extensions: set((it) => Object.keys(it.extensions ?? {}).map((name) => name.toLowerCase())),
    single: set((it) => Object.entries(it.single ?? {}).map(([id, value]) => extraEntry(id, value))),
    multi: set((it) =>
      Object.entries(it.multi ?? {}).flatMap(([id, values]) => values.map((value) => extraEntry(id, value))),
    ),
  },
  indexes: [
    ['mailbox', 'spanFrom'],
    ['calendar', 'spanFrom'],
    ['mailbox', 'startAt'],
    ['calendar', 'startAt'],
    ['calendar', 'number'],
    ['mailbox', 'number'],
    ['mailbox', 'meetingKey'],
    ['mailbox', 'transactionId'],
  ],
  wide: true,
});

/** Keyed by `{mailbox}/{hash of the UID}`. */
export const meetingRecords = collection<MeetingRecord>('mail.meetings');

/** Mails that a mailbox has received, keyed by `{mailbox}/{digest}`, to deduplicate mail that is sent again. */
export const receivedMails = collection<{ readonly at: number }>('mail.received', {
  fields: { at: number((it) => it.at) },
  indexes: [['at']],
});

/** Keyed by id. */
export const queuedMails = collection<QueuedMail>('mail.queued', {
  fields: { queuedAt: number((it) => it.queuedAt) },
  indexes: [['queuedAt']],
});

/** Mails to other domains that were kept because there is no relay, keyed by a random id. */
export const keptMails = collection<KeptMail>('mail.kept', {
  fields: {
    at: number((it) => it.at),
    to: text((it) => it.to.toLowerCase()),
    from: text((it) => it.from.toLowerCase()),
    number: number((it) => it.number),
    blob: text((it) => it.blob),
  },
  indexes: [['number'], ['to', 'number'], ['blob']],
});

/** A single document. */
export const keptTotals = collection<KeptTotals>('mail.kept_totals');

/** Change-notification subscriptions, keyed by id. */
export const subscriptions = collection<Subscription>('mail.subscriptions', {
  secrets: {
    what: 'addresses and client states of mailbox subscriptions',
    afterwards:
      'Client states are new. Addresses with a query, which may contain a key, are missing: change these subscriptions to their complete addresses',
    name: (subscription) => subscription.resource,
    remove: (subscription, sealer) => ({
      ...subscription,
      secrets: plainAddress(sealer, subscription.secrets),
    }),
    renew: (subscription, sealer, key) => [
      key,
      { ...subscription, secrets: newClientState(sealer, subscription.secrets) },
    ],
  },
  fields: {
    mailbox: text((it) => it.mailbox),
    tenant: text((it) => it.tenantId.toLowerCase()),
    application: text((it) => it.applicationId.toLowerCase()),
    creator: text((it) => it.creatorId.toLowerCase()),
    folder: text((it) => it.folder),
  },
  indexes: [['mailbox'], ['application', 'tenant'], ['creator']],
});

/** Receivers of notifications, keyed by a digest of tenant and address. */
export const endpoints = collection<Endpoint>('mail.endpoints', {
  fields: { lastAt: number((it) => it.lastAt), address: text((it) => it.address) },
  indexes: [['lastAt']],
});

/** Keyed by `{mailbox}/{uid}`. */
export const messageRules = collection<MessageRule>('mail.rules', {
  fields: {
    mailbox: text((it) => it.mailbox),
    displayName: text((it) => it.displayName.toLowerCase()),
    sequence: number((it) => it.sequence),
    createdAt: number((it) => it.createdAt),
    isEnabled: boolean((it) => it.isEnabled),
    isReadOnly: boolean((it) => it.isReadOnly),
  },
  indexes: [['mailbox', 'sequence']],
});

/** Keyed by `{mailbox}/{id}`. */
export const categories = collection<Category>('mail.categories', {
  fields: {
    mailbox: text((it) => it.mailbox),
    displayName: text((it) => it.displayName.toLowerCase()),
    color: text((it) => it.color),
  },
  indexes: [['mailbox', 'displayName']],
});

/** Keyed by `{mailbox}/{address in lower case}`: one for each sender. */
export const inferenceOverrides = collection<InferenceOverride>('mail.inference_overrides', {
  fields: { mailbox: text((it) => it.mailbox), id: text((it) => it.id) },
  indexes: [['mailbox', 'id']],
});

/** When a sender last got the automatic reply of a mailbox, keyed by `{mailbox}/{address}`. */
export const automaticReplies = collection<{ readonly at: number }>('mail.automatic_replies', {
  fields: { at: number((it) => it.at) },
  indexes: [['at']],
});
