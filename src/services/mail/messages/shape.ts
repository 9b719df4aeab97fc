import { type EntityShape, entityShape, type PropertyShape } from '../../../kernel/odata/index.ts';
import { extraEntry, messages } from '../collections.ts';
import { extensionId, extensionName } from '../extras/extensions.ts';
import { normalPropertyId } from '../extras/property-id.ts';
import {
  EVENT_TYPES,
  type Extras,
  FLAG_STATUSES,
  IMPORTANCES,
  INFERENCES,
  MEETING_MESSAGE_TYPES,
  MEETING_REQUEST_TYPES,
  type MeetingMessage,
  type Message,
} from './types.ts';

/** Properties by which lists of messages can be filtered and ordered. Properties that are only shown cannot be used. */

const shown: PropertyShape = { type: 'Edm.String', filterable: false, orderable: false };
const person = (address: string, name: string): PropertyShape => ({
  type: {
    properties: {
      emailAddress: {
        type: {
          properties: {
            address: { type: 'Edm.String', field: address, ignoreCase: true },
            name: { type: 'Edm.String', field: name, ignoreCase: true },
          },
        },
      },
    },
  },
});

/** Extended properties and extensions: `singleValueExtendedProperties/any(p: p/id eq '…' and p/value eq '…')`. */
export const extraShapes: Readonly<Record<string, PropertyShape>> = {
  singleValueExtendedProperties: entries('single'),
  multiValueExtendedProperties: entries('multi'),
  extensions: {
    type: { properties: { id: { type: 'Edm.String' }, extensionName: { type: 'Edm.String' } } },
    collection: true,
    field: 'extensions',
    entry: ({ id, extensionName }) => extensionKey(extensionName ?? id ?? ''),
    read: ({ extensions = {} }: Extras) =>
      Object.keys(extensions).map((name) => ({ id: extensionId(name), extensionName: name })),
  },
};

function entries(field: 'single' | 'multi'): PropertyShape {
  return {
    type: { properties: { id: { type: 'Edm.String' }, value: { type: 'Edm.String' } } },
    collection: true,
    field,
    entry: ({ id, value }) =>
      id === undefined || value === undefined ? undefined : extraEntry(normalPropertyId(id), value),
    read: (owner: Extras) =>
      Object.entries(owner[field] ?? {}).flatMap(([id, values]: [string, string | readonly string[]]) =>
        (typeof values === 'string' ? [values] : values).map((value) => ({ id, value })),
      ),
  };
}

/** The canonical name of an extension, for any of its written forms. */
export const extensionKey = (name: string): string => extensionName(name).toLowerCase();

const ofMeeting = (type: PropertyShape['type'], read: (meeting: MeetingMessage) => unknown): PropertyShape => ({
  type,
  orderable: false,
  read: ({ meeting }: Message) => meeting && read(meeting),
});

/** Evaluated in memory on the messages that match the rest of the filter. */
const MEETING_SHAPES: Readonly<Record<string, PropertyShape>> = {
  type: ofMeeting({ members: EVENT_TYPES }, ({ type }) => type),
  isOutOfDate: ofMeeting('Edm.Boolean', ({ isOutOfDate }) => isOutOfDate),
  isAllDay: ofMeeting('Edm.Boolean', ({ isAllDay }) => isAllDay),
  isDelegated: ofMeeting('Edm.Boolean', ({ isDelegated }) => isDelegated),
  meetingRequestType: ofMeeting({ members: MEETING_REQUEST_TYPES }, ({ request }) => request?.type),
  allowNewTimeProposals: ofMeeting('Edm.Boolean', ({ request }) => request?.allowNewTimeProposals),
  responseRequested: ofMeeting('Edm.Boolean', ({ request }) => request?.responseRequested),
};

export const messageShape: EntityShape<Message> = entityShape<Message>({
  name: 'message',
  collection: messages,
  properties: {
    id: shown,
    subject: { type: 'Edm.String', field: 'subject', ignoreCase: true },
    bodyPreview: { type: 'Edm.String', field: 'bodyPreview', ignoreCase: true },
    body: { type: { properties: { content: { type: 'Edm.String' }, contentType: shown } } },
    from: person('fromAddress', 'fromName'),
    sender: person('senderAddress', 'senderName'),
    receivedDateTime: { type: 'Edm.DateTimeOffset', field: 'receivedAt' },
    sentDateTime: { type: 'Edm.DateTimeOffset', field: 'sentAt' },
    createdDateTime: { type: 'Edm.DateTimeOffset', field: 'createdAt' },
    lastModifiedDateTime: { type: 'Edm.DateTimeOffset', field: 'modifiedAt' },
    isRead: { type: 'Edm.Boolean', field: 'isRead' },
    isDraft: { type: 'Edm.Boolean', field: 'isDraft' },
    hasAttachments: { type: 'Edm.Boolean', field: 'hasAttachments' },
    importance: { type: { members: IMPORTANCES }, field: 'importance' },
    inferenceClassification: { type: { members: INFERENCES }, field: 'inference' },
    flag: { type: { properties: { flagStatus: { type: { members: FLAG_STATUSES }, field: 'flagStatus' } } } },
    categories: { type: 'Edm.String', collection: true, field: 'categories' },
    conversationId: { type: 'Edm.String', field: 'conversationId' },
    internetMessageId: { type: 'Edm.String', field: 'internetMessageId' },
    parentFolderId: { type: 'Edm.String', field: 'parentFolderId' },
    meetingMessageType: { type: { members: MEETING_MESSAGE_TYPES }, field: 'meetingMessageType' },
    mentionsPreview: { type: { properties: { isMentioned: { type: 'Edm.Boolean', field: 'isMentioned' } } } },
    ...MEETING_SHAPES,
    ...extraShapes,
    ...Object.fromEntries(
      [
        'changeKey',
        'uniqueBody',
        'toRecipients',
        'ccRecipients',
        'bccRecipients',
        'replyTo',
        'conversationIndex',
        'isDeliveryReceiptRequested',
        'isReadReceiptRequested',
        'internetMessageHeaders',
        'webLink',
        'unsubscribeData',
        'unsubscribeEnabled',
        'startDateTime',
        'endDateTime',
        'location',
        'recurrence',
        'previousStartDateTime',
        'previousEndDateTime',
        'previousLocation',
        'responseType',
        'proposedNewTime',
      ].map((name) => [name, shown]),
    ),
  },
  navigation: [
    'attachments',
    'event',
    'extensions',
    'mentions',
    'singleValueExtendedProperties',
    'multiValueExtendedProperties',
  ],
  scan: 'bounded',
});
