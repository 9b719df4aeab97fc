import { anyObject, flag, list, mistake, nullable, object, type Read, text, word } from '../api/fields.ts';
import { address, itemBody, recipient, recipients, zonedTime } from '../api/values.ts';
import { errors } from '../errors.ts';
import { MOST_RECIPIENTS } from '../limits.ts';
import { FLAG_STATUSES, type FollowupFlag, type Header, IMPORTANCES, INFERENCES } from './types.ts';

/** A message as clients send it. */

/** The property is the server's own: what a client sends for it is compared, and never taken. */
const own: Read<unknown> = (value) => value;

const LONGEST_SUBJECT = 255;
/** Kept in mail as one header line. */
const subject: Read<string> = (value, at) => {
  const line = nullable(text({ longest: 10_000 }))(value, at) ?? '';
  return line.replace(/\p{Cc}+/gu, ' ').slice(0, LONGEST_SUBJECT);
};

const categories = list(text({ longest: 255 }), 100);

const flagFields = object('followupFlag', {
  flagStatus: word(FLAG_STATUSES),
  startDateTime: nullable(zonedTime),
  dueDateTime: nullable(zonedTime),
  completedDateTime: nullable(zonedTime),
});

const followupFlag: Read<FollowupFlag> = (value, at) => {
  const { flagStatus = 'notFlagged', startDateTime, dueDateTime, completedDateTime } = flagFields(value, at);
  if (dueDateTime && !startDateTime) throw mistake(`${at}/dueDateTime`, "a due date needs 'startDateTime'");
  return {
    flagStatus,
    ...(startDateTime && { start: startDateTime }),
    ...(dueDateTime && { due: dueDateTime }),
    ...(completedDateTime && { completed: completedDateTime }),
  };
};

const headerFields = object('internetMessageHeader', {
  name: text({ longest: 200 }),
  value: text({ longest: 10_000 }),
});

/** RFC 5322: printable characters but for the colon; clients may bring their own ones alone. */
const header: Read<Header> = (value, at) => {
  const { name, value: content } = headerFields(value, at);
  if (name === undefined || content === undefined) throw mistake(at, "'name' and 'value' are required");
  if (!/^x-[\x21-\x39\x3b-\x7e]+$/i.test(name)) {
    const reason = `The internet message header name '${name.slice(0, 60)}' should start with 'x-' or 'X-'.`;
    throw errors.ErrorInvalidProperty({ reason }, { target: at });
  }
  if (/\p{Cc}/u.test(content)) throw mistake(`${at}/value`, 'a header has one line');
  return { name, value: content };
};

const MOST_HEADERS = 5;
const headers: Read<readonly Header[]> = (value, at) => {
  const sent = list(header)(value, at);
  if (sent.length <= MOST_HEADERS) return sent;
  throw errors.ErrorInvalidProperty(
    { reason: `The maximum number of headers in one message is ${MOST_HEADERS}.` },
    { target: at },
  );
};

const mentionFields = object('mention', {
  id: nullable(text()),
  mentioned: address,
  createdBy: nullable(address),
  createdDateTime: own,
  serverCreatedDateTime: own,
  mentionText: nullable(text({ longest: 10_000 })),
  clientReference: nullable(text({ longest: 1000 })),
  deepLink: nullable(text({ longest: 10_000 })),
  application: nullable(text({ longest: 1000 })),
});

export const WRITABLE = {
  subject,
  body: itemBody,
  toRecipients: recipients,
  ccRecipients: recipients,
  bccRecipients: recipients,
  replyTo: recipients,
  from: nullable(recipient),
  sender: nullable(recipient),
  importance: word(IMPORTANCES),
  isRead: flag,
  isDeliveryReceiptRequested: nullable(flag),
  isReadReceiptRequested: nullable(flag),
  categories,
  flag: followupFlag,
  inferenceClassification: word(INFERENCES),
  internetMessageId: text({ longest: 900 }),
  internetMessageHeaders: headers,
  mentions: list(mentionFields, MOST_RECIPIENTS),
  attachments: list(anyObject, 1000),
  extensions: list(anyObject, 100),
  singleValueExtendedProperties: list(anyObject, 1000),
  multiValueExtendedProperties: list(anyObject, 1000),
} satisfies Readonly<Record<string, Read<unknown>>>;

/** Properties of a message that clients read and never write. */
const READ_ONLY = [
  'id',
  'changeKey',
  'createdDateTime',
  'lastModifiedDateTime',
  'receivedDateTime',
  'sentDateTime',
  'bodyPreview',
  'uniqueBody',
  'hasAttachments',
  'conversationId',
  'conversationIndex',
  'parentFolderId',
  'isDraft',
  'webLink',
  'mentionsPreview',
  'unsubscribeData',
  'unsubscribeEnabled',
] as const;

/** Those that eventMessage and the types below it add. `isAllDay` may be written together with the times. */
export const MEETING_PROPERTIES = [
  'meetingMessageType',
  'type',
  'isOutOfDate',
  'isAllDay',
  'isDelegated',
  'startDateTime',
  'endDateTime',
  'location',
  '___location',
  'recurrence',
  'meetingRequestType',
  'allowNewTimeProposals',
  'responseRequested',
  'previousStartDateTime',
  'previousEndDateTime',
  'previousLocation',
  'responseType',
  'proposedNewTime',
  'event',
] as const;

type OwnName = (typeof READ_ONLY)[number] | (typeof MEETING_PROPERTIES)[number];
export const OWN_NAMES: readonly OwnName[] = [...READ_ONLY, ...MEETING_PROPERTIES];
const OWN = Object.fromEntries(OWN_NAMES.map((name) => [name, own])) as Readonly<Record<OwnName, Read<unknown>>>;

export const messageInput = object('message', { ...WRITABLE, ...OWN });
export type MessageInput = ReturnType<typeof messageInput>;

export function checkRecipients({
  toRecipients = [],
  ccRecipients = [],
  bccRecipients = [],
}: Pick<MessageInput, 'toRecipients' | 'ccRecipients' | 'bccRecipients'>): void {
  const count = toRecipients.length + ccRecipients.length + bccRecipients.length;
  if (count > MOST_RECIPIENTS) throw errors.ErrorExceededMaxRecipientLimit({ maximum: MOST_RECIPIENTS, count });
}
