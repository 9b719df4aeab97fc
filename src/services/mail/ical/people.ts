import { oneLine } from '../mime/one-line.ts';
import type { ContentLine } from './lines.ts';
import type { CalendarAddress, CalendarAttendee } from './types.ts';
import { parseBoolean } from './values.ts';

const MAILTO = /mailto:/i;

/** Everything that is no address of a mailbox: `invalid:nomail`, `urn:uuid:`, paths of CalDAV principals. */
/** RFC 3696: 64 characters, `@`, 255. Also keeps the expression from backtracking over a long value. */
const LONGEST_ADDRESS = 320;

const PLAIN_ADDRESS = /^[^\s<>:/"']+@[^\s<>:/"']+$/;

/** The address in a CAL-ADDRESS value; empty when there is none. A name with a colon and without quotes reaches into the value. */
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

/** A CN with commas and without quotes arrives as a list: `CN=Meyer, Ann`. Outlook puts names in single quotes at times. */
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
