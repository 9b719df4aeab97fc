import { SECOND_MS } from '../../../kernel/time/index.ts';
import { type Observance, zoneOfVtimezone } from '../zones/vtimezone.ts';
import { FIRST_WALL, LAST_WALL, type Wall, type ZonedTime, type ZoneName } from '../zones/wall.ts';
import { toInstant } from '../zones/zone.ts';
import { CALENDAR_BOUNDS } from './bounds.ts';
import type { ContentLine } from './lines.ts';
import { type ComponentNode, propertiesOf, propertyOf, textValue } from './tree.ts';
import { parseDateValue, parseOffset } from './values.ts';

/** A date or time with its zone. */
export interface Moment {
  readonly time: ZonedTime;
  readonly isDate: boolean;
  /** True without a zone and Z, or with an unknown zone: a local time in the reader's zone. */
  readonly isFloating: boolean;
}

/** Reads the times of one calendar, with its VTIMEZONEs and the zone of the reading mailbox. */
export class MomentReader {
  readonly #definitions = new Map<string, ComponentNode>();
  readonly #zones = new Map<string, ZoneName | undefined>();
  readonly #calendarZone: string;
  readonly #mailboxZone: ZoneName;

  constructor(calendars: readonly ComponentNode[], mailboxZone: ZoneName) {
    this.#mailboxZone = mailboxZone;
    this.#calendarZone =
      calendars.map((calendar) => textValue(calendar, 'X-WR-TIMEZONE').trim()).find((name) => name !== '') ?? '';
    for (const calendar of calendars) {
      for (const child of calendar.children) {
        const tzid = unquoted(textValue(child, 'TZID'));
        if (child.kind === 'VTIMEZONE' && !this.#definitions.has(tzid)) this.#definitions.set(tzid, child);
      }
    }
  }

  /** Reads DTSTART, RECURRENCE-ID and similar properties. Returns undefined if the value is not a date. */
  read(line: ContentLine | undefined): Moment | undefined {
    return line && this.readAll(line, 1)[0];
  }

  /** Reads EXDATE and RDATE, at most `limit` values. Values that are not dates are left out. */
  readAll(line: ContentLine, limit: number): readonly Moment[] {
    const { tzid, value } = splitZone(line);
    const moments: Moment[] = [];
    for (const text of value.split(',', limit)) {
      const moment = this.#moment(text, tzid);
      if (moment) moments.push(moment);
    }
    return moments;
  }

  /** Reads DTSTAMP, CREATED and similar properties as an instant. RFC 5545 requires UTC, but not every sender complies. */
  readInstant(line: ContentLine | undefined): number | undefined {
    const moment = this.read(line);
    return moment && toInstant(moment.time.zone, moment.time.wall);
  }

  #moment(text: string, tzid: string): Moment | undefined {
    // A period counts as its start.
    const written = parseDateValue(text.split('/', 1)[0] ?? '');
    if (!written || written.wall < FIRST_WALL || written.wall > LAST_WALL) return undefined;
    const { wall, isDate, isUtc } = written;
    if (isUtc) return { time: { wall, zone: 'UTC' }, isDate, isFloating: false };
    const zone = isDate || tzid === '' ? undefined : this.#zoneOf(tzid, wall);
    return { time: { wall, zone: zone ?? this.#mailboxZone }, isDate, isFloating: zone === undefined };
  }

  #zoneOf(tzid: string, around: Wall): ZoneName | undefined {
    if (!this.#zones.has(tzid) && this.#zones.size < CALENDAR_BOUNDS.zones) {
      this.#zones.set(tzid, this.#findZone(tzid, around));
    }
    return this.#zones.get(tzid);
  }

  #findZone(tzid: string, around: Wall): ZoneName | undefined {
    const definition = this.#definitions.get(tzid);
    const location = definition ? textValue(definition, 'X-LIC-LOCATION').trim() : '';
    const observances = definition ? observancesOf(definition) : [];
    return (
      zoneOfVtimezone(tzid, observances, around, location === '' ? [] : [location]) ??
      (this.#calendarZone === '' ? undefined : zoneOfVtimezone(this.#calendarZone, [], around))
    );
  }
}

/** Removes at most one pair of quotes: `TZID="W. Europe Standard Time"` also occurs as a property of VTIMEZONE. */
function unquoted(tzid: string): string {
  const name = tzid.trim();
  return name.length > 1 && name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1).trim() : name;
}

/**
 * The zone and the value of a line. Some senders write an unquoted display name with commas and a colon as TZID. A date in basic form has
 * no colon, so the text before the last colon then belongs to the zone name.
 */
function splitZone(line: ContentLine): { readonly tzid: string; readonly value: string } {
  const tzid = (line.parameters.get('TZID') ?? []).join(', ');
  const colon = line.value.lastIndexOf(':');
  if (tzid === '' || colon < 0 || parseDateValue(line.value)) return { tzid: unquoted(tzid), value: line.value };
  return { tzid: unquoted(`${tzid}:${line.value.slice(0, colon)}`), value: line.value.slice(colon + 1) };
}

const MOST_OBSERVANCES = 200;

function observancesOf(definition: ComponentNode): readonly Observance[] {
  const observances: Observance[] = [];
  for (const child of definition.children.slice(0, MOST_OBSERVANCES)) {
    const observance = child.kind === 'STANDARD' || child.kind === 'DAYLIGHT' ? observanceOf(child) : undefined;
    if (observance) observances.push(observance);
  }
  return observances;
}

function observanceOf(node: ComponentNode): Observance | undefined {
  const offsetTo = parseOffset(textValue(node, 'TZOFFSETTO'));
  if (offsetTo === undefined) return undefined;
  const start = parseDateValue(textValue(node, 'DTSTART'))?.wall ?? FIRST_WALL;
  const rule = propertyOf(node, 'RRULE')?.value.trim();
  const dates = propertiesOf(node, 'RDATE')
    .slice(0, CALENDAR_BOUNDS.dates)
    .flatMap((line) =>
      line.value.split(',', CALENDAR_BOUNDS.dates).map((text) => parseDateValue(text.split('/', 1)[0] ?? '')?.wall),
    )
    .filter((wall) => wall !== undefined)
    .slice(0, CALENDAR_BOUNDS.dates);
  return {
    offsetFrom: parseOffset(textValue(node, 'TZOFFSETFROM')) ?? offsetTo,
    offsetTo,
    start: Math.floor(start / SECOND_MS) * SECOND_MS,
    ...(rule ? { rule } : {}),
    dates,
    isDaylight: node.kind === 'DAYLIGHT',
  };
}
