import type { Answer } from '../../../kernel/http/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { JSON_TYPE } from '../family.ts';
import type { RequestHead } from './request.ts';

/** Applies the metadata level to an answer (OData JSON Format 4.0, section 3.1): `Accept: application/json;odata.metadata=none`. */

type View = Readonly<Record<string, unknown>>;

const LEVEL = /(?:^|[;,\s])odata\.metadata=(none|full)(?:$|[;,\s])/i;

export function withMetadata({ headers }: Pick<RequestHead, 'headers'>, answer: Answer): Answer {
  const level = LEVEL.exec(String(headers.accept ?? ''))?.[1]?.toLowerCase();
  const { body } = answer;
  if (level === undefined || !isObject(body) || Buffer.isBuffer(body)) return answer;
  const type = JSON_TYPE.replace('odata.metadata=minimal', `odata.metadata=${level}`);
  return {
    ...answer,
    headers: { ...answer.headers, 'content-type': type },
    body: level === 'none' ? without(body) : withTypes(body),
  };
}

/** Annotations that clients need for paging and synchronisation. */
const KEPT = /^@(?:odata\.(?:nextLink|deltaLink|count)|removed)$/;

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => !name.includes('@') || KEPT.test(name));
  return Object.fromEntries(members.map(([name, member]) => [name, without(member)]));
}

/** Item types by the last name in the context, for sets of one type. */
const TYPES: Readonly<Record<string, string>> = {
  messages: 'message',
  mailFolders: 'mailFolder',
  childFolders: 'mailFolder',
  messageRules: 'messageRule',
  mentions: 'mention',
  events: 'event',
  calendarView: 'event',
  instances: 'event',
  calendars: 'calendar',
  calendarGroups: 'calendarGroup',
  calendarPermissions: 'calendarPermission',
  masterCategories: 'outlookCategory',
  overrides: 'inferenceClassificationOverride',
  users: 'user',
  'Collection(message)': 'message',
  'Collection(event)': 'event',
};

const CONTEXT_SET = /([\w]+|Collection\(\w+\))(?:\('[^']*'\))?(?:\([^()']*\))?(?:\/\$entity)?$/;

/** The minimal level has only types that a client cannot infer; the full level has all. */
function withTypes(body: View): View {
  const context = String(body['@odata.context'] ?? '');
  const name = TYPES[CONTEXT_SET.exec(context.slice(context.indexOf('#') + 1))?.[1] ?? ''];
  if (name === undefined) return body;
  const typed = (item: unknown): unknown =>
    isObject(item) && !('@removed' in item) ? { '@odata.type': `#microsoft.graph.${name}`, ...item } : item;
  return Array.isArray(body.value) ? { ...body, value: body.value.map(typed) } : (typed(body) as View);
}
