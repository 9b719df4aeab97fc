import { isObject } from '../../../kernel/values/index.ts';
import type { MailCall } from '../api/request.ts';
import { errors } from '../errors.ts';
import { type MessageInput, OWN_NAMES } from './input.ts';
import type { Message } from './types.ts';
import { messageView } from './view.ts';

/** Properties that an update can change. */

/** Properties that can change after a message was sent or received. */
export const ALWAYS_WRITABLE: ReadonlySet<string> = new Set([
  'categories',
  'importance',
  'isRead',
  'isDeliveryReceiptRequested',
  'isReadReceiptRequested',
  'flag',
  'inferenceClassification',
  'singleValueExtendedProperties',
  'multiValueExtendedProperties',
]);
/** Set when the message is created, or by operations of their own. */
const AT_CREATION: ReadonlySet<string> = new Set(['internetMessageHeaders', 'attachments', 'extensions']);
/** A client may have read these as HTML or as text. */
const BODIES: ReadonlySet<string> = new Set(['body', 'uniqueBody']);
const BODY_FORMS = ['html', 'text'] as const;
type BodyForm = MailCall['prefer']['body'];
const ONLY_OWN: ReadonlySet<string> = new Set(OWN_NAMES);
/** `isAllDay` of a meeting message is written together with the times. */
const TIMES: ReadonlySet<string> = new Set(['isAllDay', 'startDateTime', 'endDateTime']);

/** Throws if a property cannot be written. Its current value is accepted, since clients send back what they received. */
export function checkWritable(call: MailCall, message: Message, input: MessageInput): void {
  // Some properties are shown only if they are selected.
  const query = { $select: Object.keys(input).join() };
  const shownAs = (form: BodyForm): Readonly<Record<string, unknown>> =>
    messageView({ ...call, query, prefer: { ...call.prefer, body: form } }, message);
  let shown: Readonly<Record<string, unknown>> | undefined;
  for (const name of Object.keys(input)) {
    if (ALWAYS_WRITABLE.has(name)) continue;
    const isOwn = ONLY_OWN.has(name);
    if (!isOwn && message.isDraft && !AT_CREATION.has(name)) continue;
    if (TIMES.has(name) && message.meeting && input.isAllDay !== undefined) continue;
    shown ??= shownAs(undefined);
    const sent = sentValue(call, name);
    if (isShown(sent, shown[shownName(name)])) continue;
    if (BODIES.has(name) && BODY_FORMS.some((form) => isShown(sent, shownAs(form)[name]))) continue;
    const reason =
      isOwn || AT_CREATION.has(name) ? 'it cannot be updated' : 'it can be updated only while the message is a draft';
    throw errors.ErrorInvalidPropertySet({ property: name, reason }, { target: name });
  }
}

/** The API's specification also spells `location` as `___location`. */
const shownName = (name: string): string => (name === '___location' ? 'location' : name);

/** The value as the client sent it; the name matches case-insensitively. */
function sentValue(call: MailCall, name: string): unknown {
  const body = call.json();
  if (!isObject(body)) return undefined;
  return Object.entries(body).find(([written]) => written.toLowerCase() === name.toLowerCase())?.[1];
}

/** Compares objects without regard to the order of properties and to nulls. The API's specification misspells one meeting type. */
function isShown(sent: unknown, shown: unknown): boolean {
  if (sent === shown || (sent ?? null) === (shown ?? null)) return true;
  if (sent === 'occurence') return shown === 'occurrence';
  if (Array.isArray(sent) && Array.isArray(shown))
    return sent.length === shown.length && sent.every((each, at) => isShown(each, shown[at]));
  if (!isObject(sent) || !isObject(shown)) return false;
  const names = [...Object.keys(sent), ...Object.keys(shown)].filter((name) => !name.includes('@'));
  return names.every((name) => isShown(sent[name], shown[name]));
}
