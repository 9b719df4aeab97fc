/**
 * Parses a path below a mailbox. Keys are segments (`messages/AAMk…`) or in parentheses (`messages('AAMk…')`), items are below folders and
 * calendars or without them, and casts (`microsoft.graph.eventMessage`) can be in between. The path is normalised to one form, for which
 * the table of operations has one row for each operation.
 */

/** The container that the path names before its items. */
export interface Place {
  /** Key of the innermost folder of `mailFolders/{f}/childFolders/{c}/messages`. */
  readonly folder?: string;
  /** Key of a calendar; `calendar` is the default calendar. */
  readonly calendar?: string;
  readonly calendarGroup?: string;
  /** Key of the message, for the event of a message: `messages/{m}/event`. */
  readonly message?: string;
  /** `messages/microsoft.graph.eventMessage`: only messages of this type. In lower case. */
  readonly type?: string;
}

/** Used as the key of an event that is named by its message. */
export const EVENT_OF_MESSAGE = '$message';

export interface MailPath {
  readonly segments: readonly Segment[];
  readonly place: Place;
}

export interface Segment {
  /** Decoded. Keys are case-sensitive; names are compared in lower case. */
  readonly text: string;
  /** `reminderView(startDateTime='…',endDateTime='…')`: arguments of a function, by names in lower case. */
  readonly args?: Readonly<Record<string, string>>;
}

export const DEFAULT_CALENDAR = 'calendar';
const PREFIX = /^(?:microsoft|vendor)\.graph\.(\w+)$/i;
/** Type casts that have no effect when they follow an item. */
const TYPES = new Set([
  'message',
  'eventmessage',
  'eventmessagerequest',
  'eventmessageresponse',
  'event',
  'calendar',
  'outlookitem',
]);
const CAST_ITEMS = new Set(['messages', 'events', 'calendarview', 'instances', 'exceptionoccurrences']);

/** `segments` are those of the path below the mailbox, encoded as sent. Returns undefined if a segment cannot be decoded. */
export function readPath(encoded: readonly string[]): MailPath | undefined {
  const segments: Segment[] = [];
  for (const each of encoded) {
    const text = decoded(each);
    if (text === undefined) return undefined;
    for (const segment of splitKey(text)) {
      const name = unqualified(segment, segments);
      if (name) segments.push(name);
    }
  }
  return located(segments);
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** `messages('AAMk…')` → `messages`, `AAMk…`; `delta()` → `delta`; `f(a='x',b='y')` → `f` with arguments. */
function splitKey(text: string): readonly Segment[] {
  if (!text.endsWith(')')) return [{ text }];
  const open = text.indexOf('(');
  if (open <= 0) return [{ text }];
  const name = text.slice(0, open);
  const inner = text.slice(open + 1, -1);
  if (inner === '') return [{ text: name }];
  const args = readArgs(inner);
  if (args) return [{ text: name, args }];
  const isQuoted = inner.length >= 2 && inner.startsWith("'") && inner.endsWith("'");
  return [{ text: name }, { text: isQuoted ? inner.slice(1, -1).replaceAll("''", "'") : inner }];
}

/** Values in single quotes (for an enumeration, prefixed with the name of its type), or bare. */
const ARGUMENT = /\s*(\w+)\s*=(?:\s*[\w.]*'((?:[^']|'')*)'\s*|([^,']*))(,|$)/y;

function readArgs(text: string): Readonly<Record<string, string>> | undefined {
  const args: Record<string, string> = { __proto__: null as never };
  ARGUMENT.lastIndex = 0;
  while (ARGUMENT.lastIndex < text.length) {
    const found = ARGUMENT.exec(text);
    if (!found) return undefined;
    args[found[1]!.toLowerCase()] = found[2]?.replaceAll("''", "'") ?? found[3]!.trim();
    if (found[4] === '') break;
  }
  return args;
}

/** `microsoft.graph.accept` is the action `accept`; `microsoft.graph.eventMessage` after an item has no effect. */
function unqualified(segment: Segment, before: readonly Segment[]): Segment | undefined {
  const name = PREFIX.exec(segment.text)?.[1];
  if (name === undefined) return segment;
  const collection = before.at(-2)?.text.toLowerCase() ?? '';
  const isCast =
    TYPES.has(name.toLowerCase()) &&
    (CAST_ITEMS.has(collection) || CAST_ITEMS.has(before.at(-1)?.text.toLowerCase() ?? ''));
  // A cast on a list of messages becomes a filter by type.
  if (isCast && !CAST_ITEMS.has(collection)) return { text: `$type:${name.toLowerCase()}` };
  return isCast ? undefined : { ...segment, text: name };
}

/** Items are found by their own keys; the folders and calendars before them become the place. */
function located(all: readonly Segment[]): MailPath {
  let segments = all;
  let place: Place = {};
  const name = (at: number): string => segments[at]?.text.toLowerCase() ?? '';
  while (
    name(0) === 'mailfolders' &&
    name(2) === 'childfolders' &&
    segments.length > 3 &&
    name(3) !== 'delta' &&
    name(3) !== '$count'
  )
    segments = [segments[0]!, ...segments.slice(3)];
  if (name(0) === 'mailfolders' && name(2) === 'messages') {
    place = { folder: segments[1]!.text };
    segments = segments.slice(2);
  }
  if (name(0) === 'messages' && name(2) === 'event') {
    place = { ...place, message: segments[1]!.text };
    segments = [{ text: 'events' }, { text: EVENT_OF_MESSAGE }, ...segments.slice(3)];
  }
  // The default group, as some pages of the reference write it.
  if (name(0) === 'calendargroup' && name(1) === 'calendars') segments = segments.slice(1);
  if (name(0) === 'calendargroups' && name(2) === 'calendars') {
    place = { calendarGroup: segments[1]!.text };
    segments = segments.slice(2);
  }
  if (name(0) === DEFAULT_CALENDAR)
    segments = [{ text: 'calendars' }, { text: DEFAULT_CALENDAR }, ...segments.slice(1)];
  if (name(0) === 'calendars' && ['events', 'calendarview'].includes(name(2))) {
    place = { ...place, calendar: segments[1]!.text };
    segments = segments.slice(2);
  }
  const type = /^\$type:(\w+)$/.exec(segments[1]?.text ?? '')?.[1];
  if (name(0) === 'messages' && type !== undefined) {
    place = { ...place, type };
    segments = [segments[0]!, ...segments.slice(2)];
  }
  return { segments, place };
}
