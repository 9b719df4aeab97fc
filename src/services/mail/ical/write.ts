import { DAY_MS } from '../../../kernel/time/index.ts';
import { vtimezoneOf } from '../zones/vtimezone.ts';
import type { ZonedTime, ZoneName } from '../zones/wall.ts';
import { toInstant } from '../zones/zone.ts';
import type {
  CalendarAddress,
  CalendarAttachment,
  CalendarAttendee,
  CalendarComponent,
  CalendarDate,
  CalendarObject,
} from './types.ts';
import { formatDate, formatDateTime } from './values.ts';
import { escapeText, foldLines, type Parameter, property } from './write-lines.ts';

/** Default PRODID. */
const PRODUCT_ID = '-//Cloudjar//Mail//EN';

/**
 * Writes a calendar object with CRLF, folded, and with a VTIMEZONE for every zone that it names. Values cannot add lines: line feeds are
 * escaped if the property type allows them, and other control characters are dropped.
 */
export function writeCalendar(object: CalendarObject): string {
  const zones = new ZoneWriter(object.components);
  const events = object.components.flatMap((component) => eventLines(component, object.method, zones));
  return foldLines([
    'BEGIN:VCALENDAR',
    ...(object.method === '' ? [] : [property('METHOD', [], object.method.toUpperCase())]),
    property('PRODID', [], object.productId || PRODUCT_ID),
    'VERSION:2.0',
    ...zones.definitions(),
    ...events,
    'END:VCALENDAR',
  ]);
}

/** Collects the zones that lines refer to, with their definitions around the first start. */
class ZoneWriter {
  readonly #around: number;
  readonly #definitions = new Map<ZoneName, { readonly tzid: string; readonly lines: readonly string[] }>();

  constructor(components: readonly CalendarComponent[]) {
    const start = components.find((component) => component.start)?.start ?? components[0]?.recurrenceId?.time;
    this.#around = start ? toInstant(start.zone, start.wall) : 0;
  }

  time(name: string, { wall, zone }: ZonedTime, isFloating: boolean, parameters: readonly Parameter[] = []): string {
    if (isFloating) return property(name, parameters, formatDateTime(wall));
    if (zone === 'UTC') return property(name, parameters, `${formatDateTime(wall)}Z`);
    return property(name, [...parameters, ['TZID', this.#tzid(zone)]], formatDateTime(wall));
  }

  definitions(): readonly string[] {
    return [...this.#definitions.values()].flatMap(({ lines }) => lines);
  }

  #tzid(zone: ZoneName): string {
    const known = this.#definitions.get(zone) ?? vtimezoneOf(zone, this.#around);
    this.#definitions.set(zone, known);
    return known.tzid;
  }
}

function eventLines(event: CalendarComponent, method: string, zones: ZoneWriter): string[] {
  return [
    'BEGIN:VEVENT',
    property('UID', [], event.uid),
    ...when(event.organizer, (organizer) => addressLine('ORGANIZER', organizer, [])),
    ...event.attendees.map(attendeeLine),
    ...timeLines(event, zones),
    ...stampLines(event, method),
    ...textLines(event),
    ...outlookLines(event, zones),
    ...event.attachments.map(attachmentLine),
    'END:VEVENT',
  ];
}

const when = <Value>(value: Value | undefined, line: (value: Value) => string): string[] =>
  value === undefined ? [] : [line(value)];

function timeLines(event: CalendarComponent, zones: ZoneWriter): string[] {
  const moment = (name: string, time: ZonedTime): string =>
    event.isAllDay ? dateLine(name, time) : zones.time(name, time, event.isFloating);
  return [
    ...when(event.recurrenceId, (id) => {
      const range: Parameter[] = id.thisAndFuture ? [['RANGE', 'THISANDFUTURE']] : [];
      return dateOrTime('RECURRENCE-ID', id, event, zones, range);
    }),
    ...when(event.start, (start) => moment('DTSTART', start)),
    ...when(event.end, (end) => moment('DTEND', end)),
    ...event.rules.map((rule) => property('RRULE', [], rule)),
    // One value per line, since some calendars read only the first.
    ...event.exDates.map((date) => dateOrTime('EXDATE', date, event, zones, [])),
    ...event.dates.map((date) => dateOrTime('RDATE', date, event, zones, [])),
  ];
}

const dateLine = (name: string, { wall }: ZonedTime, parameters: readonly Parameter[] = []): string =>
  property(name, [['VALUE', 'DATE'], ...parameters], formatDate(wall));

/** A slot of a floating series is floating too; otherwise it would name another instant than the series does. */
function dateOrTime(
  name: string,
  { time, isDate }: CalendarDate,
  event: CalendarComponent,
  zones: ZoneWriter,
  parameters: readonly Parameter[],
): string {
  if (isDate) return dateLine(name, time, parameters);
  const isFloating = event.isFloating && !event.isAllDay && time.zone === event.start?.zone;
  return zones.time(name, time, isFloating, parameters);
}

const utc = (instant: number): string => `${formatDateTime(instant)}Z`;

function stampLines(event: CalendarComponent, method: string): string[] {
  const isAnswer = method === 'REPLY' || method === 'COUNTER';
  const critical = `X-MICROSOFT-CDO-${isAnswer ? 'ATTENDEE' : 'OWNER'}-CRITICAL-CHANGE`;
  return [
    ...when(event.stamp, (stamp) => property('DTSTAMP', [], utc(stamp))),
    ...when(event.created, (created) => property('CREATED', [], utc(created))),
    ...when(event.lastModified, (modified) => property('LAST-MODIFIED', [], utc(modified))),
    property('SEQUENCE', [], String(event.sequence)),
    property('X-MICROSOFT-CDO-APPT-SEQUENCE', [], String(event.sequence)),
    ...when(event.criticalChange, (change) => property(critical, [], utc(change))),
  ];
}

const textLine = (name: string, text: string, parameters: readonly Parameter[] = []): string[] =>
  text === '' ? [] : [property(name, parameters, escapeText(text))];

function textLines(event: CalendarComponent): string[] {
  return [
    ...textLine('SUMMARY', event.summary),
    ...textLine('DESCRIPTION', event.description),
    ...textLine('X-ALT-DESC', event.htmlDescription, [['FMTTYPE', 'text/html']]),
    ...textLine('LOCATION', event.location),
    ...textLine('X-MICROSOFT-LOCATIONS', locationsJson(event)),
    ...textLine('COMMENT', event.comment),
    ...(event.categories.length > 0 ? [property('CATEGORIES', [], event.categories.map(escapeText).join(','))] : []),
    ...textLine('STATUS', event.status),
    ...textLine('CLASS', event.classification),
    ...when(event.priority, (priority) => property('PRIORITY', [], String(priority))),
    ...textLine('TRANSP', event.transparency),
    ...event.requestStatus.map((status) => property('REQUEST-STATUS', [], escapeText(status).replaceAll('\\;', ';'))),
  ];
}

/** Empty if it would only repeat the pieces of LOCATION. */
function locationsJson({ location, locations }: CalendarComponent): string {
  const names = locations.map(({ displayName }) => displayName);
  const isPlain = locations.every((place) => Object.keys(place).length === 1);
  const pieces = location
    .split(';')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  if (locations.length === 0 || (isPlain && locations.length > 1 && pieces.join(';') === names.join(';'))) return '';
  return JSON.stringify(
    locations.map(({ displayName, address, uri, latitude, longitude }) => ({
      DisplayName: displayName,
      LocationAnnotation: '',
      LocationUri: uri ?? '',
      LocationFullAddress: address ?? '',
      ...(latitude === undefined ? {} : { Latitude: String(latitude), Longitude: String(longitude) }),
    })),
  );
}

function outlookLines(event: CalendarComponent, zones: ZoneWriter): string[] {
  return [
    ...when(event.busyStatus, (status) => property('X-MICROSOFT-CDO-BUSYSTATUS', [], status)),
    ...when(event.intendedStatus, (status) => property('X-MICROSOFT-CDO-INTENDEDSTATUS', [], status)),
    ...when(event.importance, (importance) => property('X-MICROSOFT-CDO-IMPORTANCE', [], String(importance))),
    ...(event.start ? [`X-MICROSOFT-CDO-ALLDAYEVENT:${isWholeDays(event) ? 'TRUE' : 'FALSE'}`] : []),
    ...when(event.instanceType, (type) => property('X-MICROSOFT-CDO-INSTTYPE', [], String(type))),
    ...when(event.ownerAppointmentId, (id) => property('X-MICROSOFT-CDO-OWNERAPPTID', [], id)),
    `X-MICROSOFT-DISALLOW-COUNTER:${event.disallowCounter ? 'TRUE' : 'FALSE'}`,
    ...when(event.originalStart, (start) => zones.time('X-MS-OLK-ORIGINALSTART', start, false)),
    ...when(event.originalEnd, (end) => zones.time('X-MS-OLK-ORIGINALEND', end, false)),
    ...when(event.sender, (sender) => property('X-MS-OLK-SENDER', [], `mailto:${sender}`)),
    ...when(event.joinUrl, (url) => property('X-MICROSOFT-SKYPETEAMSMEETINGURL', [], url)),
  ];
}

const isWholeDays = ({ isAllDay, start }: CalendarComponent): boolean => isAllDay && (start?.wall ?? 0) % DAY_MS === 0;

const mailto = (address: string): string => (address === '' ? 'invalid:nomail' : `mailto:${address}`);

function addressLine(
  name: string,
  { address, name: displayName, sentBy }: CalendarAddress,
  parameters: readonly Parameter[],
): string {
  const all: Parameter[] = [
    ...parameters,
    ...(sentBy === undefined ? [] : [['SENT-BY', mailto(sentBy)] as const]),
    ...(displayName === '' ? [] : [['CN', displayName] as const]),
  ];
  return property(name, all, mailto(address));
}

function attendeeLine(attendee: CalendarAttendee): string {
  const { cuType, role, partStat, rsvp, delegatedTo, delegatedFrom, comment } = attendee;
  return addressLine('ATTENDEE', attendee, [
    ...(cuType === 'INDIVIDUAL' ? [] : [['CUTYPE', cuType] as const]),
    ['ROLE', role],
    ['PARTSTAT', partStat],
    ...(rsvp === undefined ? [] : [['RSVP', rsvp ? 'TRUE' : 'FALSE'] as const]),
    ...(delegatedTo.length === 0 ? [] : [['DELEGATED-TO', ...delegatedTo.map(mailto)] as const]),
    ...(delegatedFrom.length === 0 ? [] : [['DELEGATED-FROM', ...delegatedFrom.map(mailto)] as const]),
    ...(comment === undefined ? [] : [['X-RESPONSE-COMMENT', comment] as const]),
  ]);
}

function attachmentLine(attachment: CalendarAttachment): string {
  const parameters: Parameter[] = [
    ...(attachment.contentType === '' ? [] : [['FMTTYPE', attachment.contentType] as const]),
    ...(attachment.name === '' ? [] : [['FILENAME', attachment.name] as const]),
  ];
  if (attachment.kind === 'uri') return property('ATTACH', parameters, attachment.uri);
  return property(
    'ATTACH',
    [...parameters, ['ENCODING', 'BASE64'], ['VALUE', 'BINARY']],
    attachment.bytes.toString('base64'),
  );
}
