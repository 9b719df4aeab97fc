import { uuid } from '../../../kernel/ids/index.ts';

const TIME_DIGITS = 12;
const COUNT_DIGITS = 8;
const MOST = 16 ** COUNT_DIGITS;

let count = 0;

/**
 * A system id, unlike any other, that sorts behind those made before it: time, a count, chance. The records of a table are ordered by their ids
 * in several indexes, and those that come one after another are best written one beside the other: ids without an order make every
 * write of a large table several times as expensive.
 */
export function newRecordId(now: number): string {
  count = (count + 1) % MOST;
  const time = Math.max(0, Math.floor(now)).toString(16).padStart(TIME_DIGITS, '0');
  const counted = count.toString(16).padStart(COUNT_DIGITS, '0');
  const chance = uuid();
  // The form of version 7: the count has the 12 bits behind the version, and what fits behind the variant.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counted.slice(0, 3)}-8${counted.slice(3, 6)}-${counted.slice(6)}${chance.slice(-10)}`;
}
