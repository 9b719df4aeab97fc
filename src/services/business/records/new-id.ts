import { uuid } from '../../../kernel/ids/index.ts';

const TIME_DIGITS = 12;
const COUNT_DIGITS = 8;
const MOST = 16 ** COUNT_DIGITS;

let count = 0;

/**
 * A unique system id that sorts after earlier ones: time, counter, random digits. Indexes order records by id, and consecutive ids are
 * written next to each other; unordered ids make every write to a large table several times as expensive.
 */
export function newRecordId(now: number): string {
  count = (count + 1) % MOST;
  const time = Math.max(0, Math.floor(now)).toString(16).padStart(TIME_DIGITS, '0');
  const counted = count.toString(16).padStart(COUNT_DIGITS, '0');
  const chance = uuid();
  // UUID version 7: the counter uses the 12 bits after the version and the bits that remain after the variant.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counted.slice(0, 3)}-8${counted.slice(3, 6)}-${counted.slice(6)}${chance.slice(-10)}`;
}
