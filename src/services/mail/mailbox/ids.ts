import { createHash } from 'node:crypto';

/**
 * Ids as clients see them. An item (a message, an event) is stored under a `uid` that never changes; its id is derived from that. A regular
 * id also contains the number of times the item has moved, so it becomes invalid with a move; an immutable id does not. Both contain a mark
 * of the mailbox, so an id is not valid in another mailbox. All are URL-safe base64 of a multiple of three bytes, so there is no padding.
 */

export type IdForm = 'regular' | 'immutable';

export interface ItemId {
  readonly form: IdForm;
  readonly mailboxMark: string;
  readonly uid: string;
  /** Number of moves of the item; 0 in an immutable id. */
  readonly generation: number;
  /** For an occurrence: its original day, such as `2026-01-31`. `uid` is then the series. */
  readonly day?: string;
}

const REGULAR = Buffer.from([0x00, 0x03, 0x24]); // AAMk
const IMMUTABLE = Buffer.from([0x00, 0x09, 0x00]); // AAkA
const MARK_BYTES = 6;
const UID_BYTES = 12;
const GENERATION_BYTES = 3;
const DAY_BYTES = 3;
const LENGTH = 3 + MARK_BYTES + UID_BYTES + GENERATION_BYTES + DAY_BYTES;
const DAY_MS = 86_400_000;

/** A uid has 16 characters of URL-safe base64, like the result of `etag()` in `kernel/ids`. */
export const isUid = (text: string): boolean => /^[\w-]{16}$/.test(text);

export const mailboxMark = (mailbox: string): string =>
  createHash('sha256').update(mailbox).digest().subarray(0, MARK_BYTES).toString('base64url');

export function writeId({ form, mailboxMark: mark, uid, generation, day }: ItemId): string {
  const bytes = Buffer.alloc(LENGTH);
  (form === 'regular' ? REGULAR : IMMUTABLE).copy(bytes, 0);
  bytes.write(mark, 3, 'base64url');
  bytes.write(uid, 3 + MARK_BYTES, 'base64url');
  bytes.writeUIntBE(form === 'regular' ? generation % 2 ** 24 : 0, 3 + MARK_BYTES + UID_BYTES, GENERATION_BYTES);
  // 0 means no day. The years 1 to 9999 have fewer days than fit into three bytes.
  bytes.writeUIntBE(day === undefined ? 0 : dayNumber(day), LENGTH - DAY_BYTES, DAY_BYTES);
  return bytes.toString('base64url');
}

/** The lookbehind prevents backtracking over a long run of equals signs. */
const plainId = (text: string): string =>
  text
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/(?<!=)=+$/, '');

/** Parses an item id; undefined if it is not one. Also accepts plain base64 (`+`, `/`, padding), to which some clients convert ids. */
export function readId(text: string): ItemId | undefined {
  const id = plainId(text);
  if (id.length !== (LENGTH * 4) / 3 || !/^[\w-]+$/.test(id)) return undefined;
  const bytes = Buffer.from(id, 'base64url');
  const head = bytes.subarray(0, 3);
  const form = head.equals(REGULAR) ? 'regular' : head.equals(IMMUTABLE) ? 'immutable' : undefined;
  if (form === undefined) return undefined;
  const day = bytes.readUIntBE(LENGTH - DAY_BYTES, DAY_BYTES);
  return {
    form,
    mailboxMark: bytes.toString('base64url', 3, 3 + MARK_BYTES),
    uid: bytes.toString('base64url', 3 + MARK_BYTES, 3 + MARK_BYTES + UID_BYTES),
    generation: bytes.readUIntBE(3 + MARK_BYTES + UID_BYTES, GENERATION_BYTES),
    ...(day > 0 && { day: dayText(day) }),
  };
}

/** Days since year 1, which is before any real event. */
const FIRST_DAY = Math.floor(Date.parse('0001-01-01T00:00:00Z') / DAY_MS);
const dayNumber = (day: string): number => Math.floor(Date.parse(`${day}T00:00:00Z`) / DAY_MS) - FIRST_DAY + 1;
const dayText = (number: number): string => new Date((number - 1 + FIRST_DAY) * DAY_MS).toISOString().slice(0, 10);

const FOLDER_HEAD = Buffer.from([0x00, 0x03, 0x25]); // AAMl

/** The id of a container (folder, calendar) never changes. */
export function writeContainerId(mark: string, uid: string): string {
  return Buffer.concat([FOLDER_HEAD, Buffer.from(mark, 'base64url'), Buffer.from(uid, 'base64url')]).toString(
    'base64url',
  );
}

export function readContainerId(text: string): { readonly mailboxMark: string; readonly uid: string } | undefined {
  const id = plainId(text);
  const length = 3 + MARK_BYTES + UID_BYTES;
  if (id.length !== (length * 4) / 3 || !/^[\w-]+$/.test(id)) return undefined;
  const bytes = Buffer.from(id, 'base64url');
  if (!bytes.subarray(0, 3).equals(FOLDER_HEAD)) return undefined;
  return {
    mailboxMark: bytes.toString('base64url', 3, 3 + MARK_BYTES),
    uid: bytes.toString('base64url', 3 + MARK_BYTES),
  };
}

/** The version of an item in base64; it changes with every write. */
export function changeKeyOf(uid: string, number: number): string {
  const bytes = Buffer.alloc(15);
  bytes.write(uid, 0, 6, 'base64url');
  bytes.writeUIntBE(number, 9, 6);
  return bytes.toString('base64');
}

export const etagOf = (changeKey: string): string => `W/"${changeKey}"`;
