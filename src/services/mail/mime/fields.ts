import { addressParser } from 'postal-mime';
import { MOST_REFERENCES } from './bounds.ts';
import { decodedValue, rawValue, unfold } from './headers.ts';
import { parseMailDate } from './mail-date.ts';
import { oneLine, optional } from './one-line.ts';
import { isProblem, type Problem, problem } from './problem.ts';
import type { MailAddress, MailBounds, MailHeader, ParsedMail } from './types.ts';

/** The parsed headers of a message. */
export type MailFields = Omit<ParsedMail, 'headers' | 'text' | 'html' | 'attachments' | 'calendars'>;

export function readFields(headers: readonly MailHeader[], bounds: MailBounds): MailFields | Problem {
  const people = readPeople(headers, bounds);
  if (isProblem(people)) return people;
  const { sender, ...lists } = people;
  const date = parseMailDate(rawValue(headers, 'date') ?? '');
  return {
    ...lists,
    ...optional('sender', sender[0]),
    subject: decodedValue(headers, 'subject') ?? '',
    ...optional('date', date),
    ...readThread(headers),
    importance: importanceOf(headers),
    sensitivity: sensitivityOf(headers),
    isReadReceiptRequested: isSet(headers, 'disposition-notification-to'),
    isDeliveryReceiptRequested: isSet(headers, 'return-receipt-to'),
    listUnsubscribe: unsubscribeOf(headers),
    isOneClickUnsubscribe: /^list-unsubscribe=one-click$/i.test(rawValue(headers, 'list-unsubscribe-post') ?? ''),
    ...optional(
      'autoSubmitted',
      rawValue(headers, 'auto-submitted')
        ?.split(/[;(\s]/, 1)[0]
        ?.toLowerCase() || undefined,
    ),
  };
}

const ADDRESS_HEADERS = ['from', 'sender', 'to', 'cc', 'bcc', 'reply-to'] as const;

/** Separators allowed for each address in a header: `"Last, First: Department" <address>,` has four. */
const SEPARATORS_PER_ADDRESS = 4;

function readPeople(headers: readonly MailHeader[], bounds: MailBounds) {
  const lists = new Map<string, MailAddress[]>(ADDRESS_HEADERS.map((name) => [name, []]));
  const tooMany = problem('tooManyAddresses', `the message has more than ${bounds.addresses} addresses`);
  let total = 0;
  let separators = 0;
  for (const { name, raw } of headers) {
    const list = lists.get(name.toLowerCase());
    if (!list) continue;
    // The address parser's time grows with the square of the number of separators, so they are counted first.
    separators += raw.match(/[,;:]/g)?.length ?? 0;
    if (separators > bounds.addresses * SEPARATORS_PER_ADDRESS) return tooMany;
    const addresses = parseAddresses(unfold(raw));
    total += addresses.length;
    if (total > bounds.addresses) return tooMany;
    list.push(...addresses);
  }
  const of = (name: (typeof ADDRESS_HEADERS)[number]): readonly MailAddress[] => lists.get(name) ?? [];
  return {
    from: of('from'),
    sender: of('sender'),
    to: of('to'),
    cc: of('cc'),
    bcc: of('bcc'),
    replyTo: of('reply-to'),
  };
}

/** The mailboxes of an address list. Members of groups are included as single entries; entries without an address are left out. */
export function parseAddresses(value: string): MailAddress[] {
  const addresses: MailAddress[] = [];
  for (const { name, address } of addressParser(value, { flatten: true })) {
    const plain = oneLine(address ?? '').replace(/^<|>$/g, '');
    if (plain !== '' && /^[^\s<>]+$/.test(plain)) addresses.push({ name: oneLine(name), address: plain });
  }
  return addresses;
}

const LONGEST_ID = 998;

/** Message ids in a header, including angle brackets. */
function idsOf(header: string | undefined): string[] {
  return (header?.match(/<[^<>\s]+>/g) ?? []).filter((id) => id.length <= LONGEST_ID);
}

/** Some senders leave the angle brackets out. */
function idOf(header: string | undefined): string | undefined {
  const bare = header?.trim() ?? '';
  return idsOf(header)[0] ?? (/^[^\s<>]{1,900}$/.test(bare) ? `<${bare}>` : undefined);
}

function readThread(headers: readonly MailHeader[]) {
  const references = [...new Set(idsOf(rawValue(headers, 'references')))];
  // The first message and the latest ones identify the thread, so ids between them are cut, as RFC 5537 describes for news.
  if (references.length > MOST_REFERENCES) references.splice(1, references.length - MOST_REFERENCES);
  return {
    ...optional('messageId', idOf(rawValue(headers, 'message-id'))),
    ...optional('inReplyTo', idOf(rawValue(headers, 'in-reply-to'))),
    references,
    ...optional('threadTopic', decodedValue(headers, 'thread-topic')),
    ...optional('threadIndex', rawValue(headers, 'thread-index')?.replaceAll(/\s/g, '') || undefined),
  };
}

const word = (headers: readonly MailHeader[], name: string): string =>
  rawValue(headers, name)?.trim().toLowerCase() ?? '';

const isSet = (headers: readonly MailHeader[], name: string): boolean => word(headers, name) !== '';

/** Importance takes precedence over the older headers with the same meaning. X-Priority 1 is the highest. */
function importanceOf(headers: readonly MailHeader[]): ParsedMail['importance'] {
  for (const name of ['importance', 'x-msmail-priority']) {
    const value = word(headers, name);
    if (value === 'high' || value === 'low' || value === 'normal') return value;
  }
  const priority = Number(/^[1-5]\b/.exec(word(headers, 'x-priority'))?.[0] ?? 0);
  if (priority > 0) return priority < 3 ? 'high' : priority > 3 ? 'low' : 'normal';
  const general = word(headers, 'priority');
  return general === 'urgent' ? 'high' : general === 'non-urgent' ? 'low' : 'normal';
}

function sensitivityOf(headers: readonly MailHeader[]): ParsedMail['sensitivity'] {
  const value = word(headers, 'sensitivity');
  if (value === 'personal' || value === 'private') return value;
  return value === 'company-confidential' || value === 'confidential' ? 'confidential' : 'normal';
}

const MOST_UNSUBSCRIBE = 20;

function unsubscribeOf(headers: readonly MailHeader[]): readonly string[] {
  const entries = rawValue(headers, 'list-unsubscribe')?.match(/<[^<>]+>/g) ?? [];
  return entries
    .slice(0, MOST_UNSUBSCRIBE)
    .map((entry) => entry.slice(1, -1).replaceAll(/\s/g, ''))
    .filter((entry) => /^(?:mailto|https?):/i.test(entry));
}
