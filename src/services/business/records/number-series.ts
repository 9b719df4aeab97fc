import { errors } from '../errors.ts';
import type { Books } from './books.ts';
import { numberSeries } from './collection.ts';

const LONGEST_NUMBER = 20;
/** Skips numbers that people have assigned manually; the search in a used-up series is bounded. */
const MOST_PASSED_OVER = 1000;

/** The next number of a series for which `isFree` returns true. */
export async function nextNumber(
  books: Books,
  series: string,
  isFree: (number: string) => boolean | Promise<boolean> = () => true,
): Promise<string> {
  const key = `${books.company.key}/${series}`;
  let stored = await books.tx.get(numberSeries, key);
  if (!stored) {
    // No document exists yet that a lock could be taken on.
    await books.tx.lock(`business/series/${key}`);
    stored = await books.tx.get(numberSeries, key);
  }
  const { last, step } = stored?.value ?? { last: `${series}00000`, step: 1 };
  let next = following(series, last, step);
  for (let passed = 0; !(await isFree(next)); passed++) {
    if (passed === MOST_PASSED_OVER) throw exhausted(series);
    next = following(series, next, step);
  }
  await books.tx.put(numberSeries, key, { last: next, step });
  return next;
}

function following(series: string, last: string, step: number): string {
  const next = counted(last, step);
  if (next === undefined || next.length > LONGEST_NUMBER) throw exhausted(series);
  return next;
}

const exhausted = (series: string): Error =>
  errors.Application_DialogException({ reason: `You cannot assign new numbers from the number series ${series}.` });

/** For example `A-009` and 1 give `A-010`. */
export function counted(last: string, step: number): string | undefined {
  const digits = /\d+$/.exec(last)?.[0];
  if (digits === undefined) return undefined;
  return last.slice(0, -digits.length) + String(BigInt(digits) + BigInt(step)).padStart(digits.length, '0');
}
