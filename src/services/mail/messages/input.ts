import { anyValue, flag, list, mistake, nullable, object, type Read, readOnly, text, word } from '../api/fields.ts';
import { ITEM_PARTS } from '../api/item-parts.ts';
import { address, itemBody, recipient, recipients, zonedTime } from '../api/values.ts';
import { errors } from '../errors.ts';
import { MOST_RECIPIENTS } from '../limits.ts';
import { cutText, oneLine } from '../mime/one-line.ts';
import { isHeaderName, isMessageId } from '../mime/write.ts';
import { FLAG_STATUSES, type FollowupFlag, type Header, IMPORTANCES, INFERENCES } from './types.ts';

/** Validates a message that a client sent. */

const LONGEST_SUBJECT = 255;
/** Written as one header line of the mail. */
const subject: Read<string> = (value, at) => {
  const line = nullable(text({ longest: 10_000 }))(value, at) ?? '';
  return cutText(oneLine(line), LONGEST_SUBJECT);
};

const categories = list(text({ longest: 255 }), 100);

/** RFC 5322, 3.6.4; angle brackets are optional. */
const messageId: Read<string> = (value, at) => {
  const id = text({ longest: 900 })(value, at).trim();
  if (!isMessageId(id)) throw mistake(at, "an id of the form '<unique@domain>' is expected");
  return id;
};

/** For properties that a null resets to the default. */
const orDefault =
  <T>(read: Read<T>, value: NoInfer<T>): Read<T> =>
  (sent, at) =>
    sent === null ? value : read(sent, at);

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

/** Clients can set only custom (`x-`) headers. */
const header: Read<Header> = (value, at) => {
  const { name, value: content } = headerFields(value, at);
  if (name === undefined || content === undefined) throw mistake(at, "'name' and 'value' are required");
  if (!/^x-/i.test(name)) {
    const reason = `The internet message header name '${name.slice(0, 60)}' should start with 'x-' or 'X-'.`;
    throw errors.ErrorInvalidProperty({ reason }, { target: at });
  }
  if (!isHeaderName(name)) {
    const reason = `The internet message header name '${name.slice(0, 60)}' is not valid: it can have at most 76 letters, digits, '-', '_' and '.'.`;
    throw errors.ErrorInvalidProperty({ reason }, { target: at });
  }
  if (/[\p{Cc}\u2028\u2029]/u.test(content)) throw mistake(`${at}/value`, 'a header must be a single line');
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
  createdDateTime: anyValue,
  serverCreatedDateTime: anyValue,
  mentionText: nullable(text({ longest: 10_000 })),
  clientReference: nullable(text({ longest: 1000 })),
  deepLink: nullable(text({ longest: 10_000 })),
  application: nullable(text({ longest: 1000 })),
});

const mention: Read<ReturnType<typeof mentionFields>> = (value, at) => {
  const sent = mentionFields(value, at);
  if (!sent.mentioned) throw mistake(`${at}/mentioned`, 'it is required');
  return sent;
};

export const WRITABLE = {
  subject,
  body: orDefault(itemBody, { contentType: 'text', content: '' }),
  toRecipients: recipients,
  ccRecipients: recipients,
  bccRecipients: recipients,
  replyTo: recipients,
  from: nullable(recipient),
  sender: nullable(recipient),
  importance: orDefault(word(IMPORTANCES), 'normal'),
  isRead: flag,
  isDeliveryReceiptRequested: nullable(flag),
  isReadReceiptRequested: nullable(flag),
  categories: orDefault(categories, []),
  flag: orDefault(followupFlag, { flagStatus: 'notFlagged' }),
  inferenceClassification: orDefault(word(INFERENCES), 'focused'),
  internetMessageId: messageId,
  internetMessageHeaders: headers,
  mentions: list(mention, MOST_RECIPIENTS),
  ...ITEM_PARTS,
} satisfies Readonly<Record<string, Read<unknown>>>;

/** Read-only properties of a message. */
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

/** Properties that eventMessage and its derived types add. `isAllDay` can be written together with the times. */
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

export const messageInput = object('message', { ...WRITABLE, ...readOnly(OWN_NAMES) });
export type MessageInput = ReturnType<typeof messageInput>;

export function checkRecipients({
  toRecipients = [],
  ccRecipients = [],
  bccRecipients = [],
}: Pick<MessageInput, 'toRecipients' | 'ccRecipients' | 'bccRecipients'>): void {
  const count = toRecipients.length + ccRecipients.length + bccRecipients.length;
  if (count > MOST_RECIPIENTS) throw errors.ErrorExceededMaxRecipientLimit({ maximum: MOST_RECIPIENTS, count });
}
