import { etag } from '../../../kernel/ids/index.ts';
import { type CalendarEvent, isOccurrence, type Occurrence } from './types.ts';

/** UIDs of events: the vendor's global object id in hexadecimal (MS-OXOCAL, section 2.2.1.27). */

const PREFIX = '040000008200E00074C5B7101A82E008';
const DATE_AT = PREFIX.length;
const DATE_DIGITS = 8;
const NO_DATE = '0'.repeat(DATE_DIGITS);
/** Milliseconds between the FILETIME epoch (1601) and the Unix epoch (1970). FILETIME counts steps of 100 ns. */
const FILETIME_EPOCH_MS = 11_644_473_600_000n;
const RANDOM_BYTES = 16;
/** Marks a UID from another calendar within a global object id. */
const FOREIGN_MARK = Buffer.from('vCal-Uid\u0001\0\0\0', 'latin1');

export function newICalUid(now: number): string {
  const time = Buffer.alloc(8);
  time.writeBigUInt64LE((BigInt(Math.floor(now)) + FILETIME_EPOCH_MS) * 10_000n);
  const random = Buffer.from(`${etag()}${etag()}`, 'base64url').subarray(0, RANDOM_BYTES);
  return globalId(NO_DATE, time, random);
}

/** The iCalUId of an occurrence: that of its series with the date of the occurrence. */
function occurrenceUid(uid: string, day: string): string {
  const date = dateBytes(day);
  if (uid.length > DATE_AT + DATE_DIGITS && uid.slice(0, DATE_AT).toUpperCase() === PREFIX)
    return `${uid.slice(0, DATE_AT)}${date}${uid.slice(DATE_AT + DATE_DIGITS)}`;
  return globalId(date, Buffer.alloc(8), Buffer.concat([FOREIGN_MARK, Buffer.from(uid), Buffer.alloc(1)]));
}

function globalId(date: string, time: Buffer, data: Buffer): string {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return `${PREFIX}${date}${Buffer.concat([time, Buffer.alloc(8), length, data])
    .toString('hex')
    .toUpperCase()}`;
}

/** Year (two bytes, big-endian), month, day. */
function dateBytes(day: string): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return Buffer.from([year >> 8, year & 255, month, date])
    .toString('hex')
    .toUpperCase();
}

/** The iCalUId that clients see: the event's UID, with the date added for occurrences. */
export function shownUid(event: CalendarEvent | Occurrence): string {
  const day = isOccurrence(event) ? event.day : event.loneOccurrence;
  return day === undefined ? event.iCalUid : occurrenceUid(event.iCalUid, day);
}
