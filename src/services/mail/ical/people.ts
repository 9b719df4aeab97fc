import { oneLine } from '../mime/one-line.ts';
import type { ContentLine } from './lines.ts';
import type { CalendarAddress, CalendarAttendee } from './types.ts';
import { parseBoolean } from './values.ts';

const MAILTO = /mailto:/i;

/** Matches values that are not mail addresses: `invalid:nomail`, `urn:uuid:`, paths of CalDAV principals. */
/** RFC 3696: 64 characters, `@`, 255. Also keeps the regular expression from backtracking over a long value. */
const LONGEST_ADDRESS = 320;

const PLAIN_ADDRESS = /^[^\s<>:/"']+@[^\s<>:/"']+$/;

/**
 * The address in a CAL-ADDRESS value; empty if it has none. If an unquoted name contains a colon, the value begins with the rest of the
 * name.
 */
export function addressIn(value: string): string {
  const text = value.trim();
  const mailto = text.search(MAILTO);
  if (mailto >= 0) return clean(text.slice(mailto + 'mailto:'.length));
  return text.length <= LONGEST_ADDRESS && PLAIN_ADDRESS.test(text) ? text : '';
}

const clean = (address: string): string => address.trim().replace(/^<|>$/g, '').trim();

const first = (line: ContentLine, name: string): string => line.parameters.get(name)?.[0] ?? '';

const addressesOf = (line: ContentLine, name: string): string[] =>
  (line.parameters.get(name) ?? []).map(addressIn).filter((address) => address !== '');

export function readAddress(line: ContentLine): CalendarAddress {
  const address = addressIn(line.value) || addressIn(first(line, 'EMAIL')) || addressIn(first(line, 'X-EMAIL'));
  const sentBy = addressIn(first(line, 'SENT-BY'));
  return { address, name: nameOf(line), ...(sentBy === '' ? {} : { sentBy }) };
}

/** An unquoted CN with commas is parsed as a list: `CN=Meyer, Ann`. Outlook sometimes puts names in single quotes. */
function nameOf(line: ContentLine): string {
  const name = oneLine((line.parameters.get('CN') ?? []).join(', '));
  return /^'.+'$/s.test(name) ? name.slice(1, -1) : name;
}

const word = (line: ContentLine, name: string, otherwise: string): string =>
  first(line, name).trim().toUpperCase() || otherwise;

export function readAttendee(line: ContentLine): CalendarAttendee {
  const rsvp = parseBoolean(first(line, 'RSVP'));
  const comment = first(line, 'X-RESPONSE-COMMENT');
  return {
    ...readAddress(line),
    role: word(line, 'ROLE', 'REQ-PARTICIPANT'),
    partStat: word(line, 'PARTSTAT', 'NEEDS-ACTION'),
    cuType: word(line, 'CUTYPE', 'INDIVIDUAL'),
    ...(rsvp === undefined ? {} : { rsvp }),
    delegatedTo: addressesOf(line, 'DELEGATED-TO'),
    delegatedFrom: addressesOf(line, 'DELEGATED-FROM'),
    ...(comment === '' ? {} : { comment }),
  };
}
