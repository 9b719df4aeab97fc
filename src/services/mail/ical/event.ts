import { oneLine, optional } from '../mime/one-line.ts';
import { type Problem, problem } from '../mime/problem.ts';
import type { ZoneName } from '../zones/wall.ts';
import { CALENDAR_BOUNDS } from './bounds.ts';
import { readAttachments, readHtml, readJoinUrl, readLocations } from './details.ts';
import type { Moment, MomentReader } from './moments.ts';
import { addressIn, readAddress, readAttendee } from './people.ts';
import { readSpan } from './span.ts';
import { type ComponentNode, propertiesOf, propertyOf, textValue, wordOf } from './tree.ts';
import type { CalendarComponent, CalendarDate, RecurrenceId } from './types.ts';
import { parseInteger, splitTexts, unescapeText } from './values.ts';

/** Parses one VEVENT. `datesLeft` bounds EXDATE and RDATE values over the whole object. */
export function readEvent(
  node: ComponentNode,
  moments: MomentReader,
  mailboxZone: ZoneName,
  method: string,
  datesLeft: number,
): CalendarComponent | Problem {
  const uid = textValue(node, 'UID').trim();
  if (uid === '') return problem('noUid', 'an event has no UID');
  if (uid.length > CALENDAR_BOUNDS.uid) {
    return problem('invalidProperty', `a UID has more than ${CALENDAR_BOUNDS.uid} characters`);
  }
  const attendees = propertiesOf(node, 'ATTENDEE');
  if (attendees.length > CALENDAR_BOUNDS.attendees) {
    return problem('tooManyAttendees', `an event has more than ${CALENDAR_BOUNDS.attendees} attendees`);
  }
  const exDates = readDates(node, 'EXDATE', moments, datesLeft);
  const dates = readDates(node, 'RDATE', moments, datesLeft - exDates.length);
  if (exDates.length + dates.length > datesLeft) {
    return problem('tooManyDates', `the calendar has more than ${CALENDAR_BOUNDS.dates} EXDATE and RDATE values`);
  }
  const organizer = propertyOf(node, 'ORGANIZER');
  return {
    uid,
    sequence: sequenceOf(node),
    ...readStamps(node, moments, method),
    ...optional('recurrenceId', readRecurrenceId(node, moments)),
    ...readSpan(node, moments, mailboxZone),
    rules: propertiesOf(node, 'RRULE')
      .slice(0, CALENDAR_BOUNDS.valuesOfOneProperty)
      .map((line) => line.value.trim())
      .filter((rule) => rule !== ''),
    exDates,
    dates,
    summary: oneLine(textOf(node, 'SUMMARY')),
    description: textOf(node, 'DESCRIPTION'),
    htmlDescription: readHtml(node),
    location: textOf(node, 'LOCATION'),
    locations: readLocations(node),
    ...optional('organizer', organizer && readAddress(organizer)),
    attendees: attendees.map(readAttendee),
    ...readWords(node),
    ...readOutlook(node, moments),
    comment: textsOf(node, 'COMMENT').join('\n'),
    categories: propertiesOf(node, 'CATEGORIES')
      .flatMap((line) => splitTexts(line.value))
      .slice(0, CALENDAR_BOUNDS.valuesOfOneProperty),
    ...optional('joinUrl', readJoinUrl(node)),
    requestStatus: textsOf(node, 'REQUEST-STATUS'),
    attachments: readAttachments(node),
  };
}

const textOf = (node: ComponentNode, name: string): string => unescapeText(textValue(node, name));

const textsOf = (node: ComponentNode, name: string): string[] =>
  propertiesOf(node, name)
    .slice(0, CALENDAR_BOUNDS.valuesOfOneProperty)
    .map((line) => unescapeText(line.value));

const integerOf = (node: ComponentNode, name: string): number | undefined => parseInteger(textValue(node, name));

/** SEQUENCE takes precedence over Outlook's copy of it. A negative value counts as 0. */
function sequenceOf(node: ComponentNode): number {
  return Math.max(0, integerOf(node, 'SEQUENCE') ?? integerOf(node, 'X-MICROSOFT-CDO-APPT-SEQUENCE') ?? 0);
}

function readStamps(node: ComponentNode, moments: MomentReader, method: string) {
  const instant = (name: string): number | undefined => moments.readInstant(propertyOf(node, name));
  const owner = instant('X-MICROSOFT-CDO-OWNER-CRITICAL-CHANGE');
  const attendee = instant('X-MICROSOFT-CDO-ATTENDEE-CRITICAL-CHANGE');
  const isAnswer = method === 'REPLY' || method === 'COUNTER';
  return {
    ...optional('stamp', instant('DTSTAMP')),
    ...optional('criticalChange', isAnswer ? (attendee ?? owner) : (owner ?? attendee)),
    ...optional('created', instant('CREATED')),
    ...optional('lastModified', instant('LAST-MODIFIED')),
  };
}

function readRecurrenceId(node: ComponentNode, moments: MomentReader): RecurrenceId | undefined {
  const line = propertyOf(node, 'RECURRENCE-ID');
  const moment = moments.read(line);
  if (!line || !moment) return undefined;
  const { parameters } = line;
  const range = parameters.get('RANGE')?.[0]?.toUpperCase();
  // The example in RFC 5546, section 4.4.5, has the value without the parameter name.
  return { ...dateOf(moment), thisAndFuture: range === 'THISANDFUTURE' || parameters.has('THISANDFUTURE') };
}

const dateOf = ({ time, isDate }: Moment): CalendarDate => ({ time, isDate });

/** Reads one value more than the bound, so that the caller detects the excess. */
function readDates(node: ComponentNode, name: string, moments: MomentReader, left: number): readonly CalendarDate[] {
  const dates: CalendarDate[] = [];
  for (const line of propertiesOf(node, name)) {
    if (dates.length > left) break;
    for (const moment of moments.readAll(line, left + 1)) dates.push(dateOf(moment));
  }
  return dates;
}

function readWords(node: ComponentNode) {
  const priority = integerOf(node, 'PRIORITY');
  return {
    status: wordOf(node, 'STATUS'),
    classification: wordOf(node, 'CLASS'),
    ...optional('priority', priority !== undefined && priority >= 0 && priority <= 9 ? priority : undefined),
    transparency: wordOf(node, 'TRANSP'),
  };
}

function readOutlook(node: ComponentNode, moments: MomentReader) {
  const importance = integerOf(node, 'X-MICROSOFT-CDO-IMPORTANCE');
  return {
    ...optional('busyStatus', wordOf(node, 'X-MICROSOFT-CDO-BUSYSTATUS') || undefined),
    ...optional('intendedStatus', wordOf(node, 'X-MICROSOFT-CDO-INTENDEDSTATUS') || undefined),
    ...optional('importance', importance !== undefined && importance >= 0 && importance <= 2 ? importance : undefined),
    disallowCounter: wordOf(node, 'X-MICROSOFT-DISALLOW-COUNTER') === 'TRUE',
    ...optional('originalStart', moments.read(propertyOf(node, 'X-MS-OLK-ORIGINALSTART'))?.time),
    ...optional('originalEnd', moments.read(propertyOf(node, 'X-MS-OLK-ORIGINALEND'))?.time),
    ...optional('ownerAppointmentId', textValue(node, 'X-MICROSOFT-CDO-OWNERAPPTID').trim() || undefined),
    ...optional('instanceType', integerOf(node, 'X-MICROSOFT-CDO-INSTTYPE')),
    ...optional('sender', senderOf(node)),
  };
}

/** `X-MS-OLK-SENDER;CN="...":mailto:...`, also as a quoted parameter. */
function senderOf(node: ComponentNode): string | undefined {
  return addressIn(textValue(node, 'X-MS-OLK-SENDER')) || undefined;
}
