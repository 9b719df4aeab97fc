import { isoTime } from '../../../kernel/time/index.ts';
import { errors } from '../errors.ts';
import type { Address, ItemBody } from '../messages/types.ts';
import { zoneOf } from '../zones/names.ts';
import { formatWall, parseWall, type ZonedTime } from '../zones/wall.ts';
import { toInstant, toWall } from '../zones/zone.ts';
import { list, mistake, nullable, object, type Read, text, word } from './fields.ts';
import type { Preferences } from './preferences.ts';

/** Value types that messages and events share: validation of input, and views. */

const LONGEST_NAME = 1000;
const emailAddress = object('emailAddress', {
  name: nullable(text({ longest: LONGEST_NAME })),
  address: nullable(text({ longest: LONGEST_NAME })),
});

/** A line break in an address would inject header lines into a mail. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

export const address: Read<Address> = (value, at) => {
  const { name, address: written } = emailAddress(value, at);
  const found = (written ?? '').trim();
  if (CONTROL.test(found) || CONTROL.test(name ?? '')) throw mistake(at, 'control characters are not allowed');
  return { name: name ?? found, address: found };
};

const recipientFields = object('recipient', { emailAddress: address });

export const recipient: Read<Address> = (value, at) => {
  const { emailAddress: found } = recipientFields(value, at);
  if (!found) throw mistake(`${at}/emailAddress`, 'it is required');
  return found;
};

export const recipients = list(recipient);

const bodyFields = object('itemBody', {
  contentType: word(['text', 'html']),
  content: nullable(text({ longest: 40_000_000 })),
});

export const itemBody: Read<ItemBody> = (value, at) => {
  const { contentType = 'text', content } = bodyFields(value, at);
  return { contentType, content: content ?? '' };
};

const OFFSET = /(?:Z|[+-]\d{2}:?\d{2})$/i;

const zonedFields = object('dateTimeTimeZone', {
  dateTime: text({ longest: 64 }),
  timeZone: nullable(text({ longest: 200 })),
});

/** If `dateTime` has an offset, it determines the instant; `timeZone` is the zone that is stored. */
export const zonedTime: Read<ZonedTime> = (value, at) => {
  const { dateTime, timeZone } = zonedFields(value, at);
  if (dateTime === undefined) throw mistake(`${at}/dateTime`, 'it is required');
  const zone = timeZone ? zoneOf(timeZone) : 'UTC';
  if (zone === undefined)
    throw errors.TimeZoneNotSupportedException({ zone: String(timeZone).slice(0, 100) }, { target: at });
  if (OFFSET.test(dateTime)) {
    const instant = Date.parse(dateTime);
    if (Number.isNaN(instant)) throw mistake(`${at}/dateTime`, `'${dateTime}' is not a date and time`);
    return { wall: toWall(zone, instant), zone };
  }
  const wall = parseWall(dateTime);
  if (wall === undefined) throw mistake(`${at}/dateTime`, `'${dateTime}' is not a date and time`);
  return { wall, zone };
};

/** An instant in whole seconds, as items show it. */
export const shownInstant = (instant: number): string =>
  isoTime(Math.floor(instant / 1000) * 1000).replace('.000Z', 'Z');

export const shownRecipient = ({ name, address: email }: Address) => ({ emailAddress: { name, address: email } });

/** A time in the zone that the client prefers. Days of all-day events do not change. */
export function shownTime(time: ZonedTime, { zone, zoneName }: Preferences, isAllDay = false) {
  const wall = isAllDay || time.zone === zone ? time.wall : toWall(zone, toInstant(time.zone, time.wall));
  return { dateTime: formatWall(wall), timeZone: zoneName };
}
