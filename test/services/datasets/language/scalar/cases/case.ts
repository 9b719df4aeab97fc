import { type Argument, Failed, type Value } from '../evaluator.ts';

/** A function, its arguments and the expected result. Comments give the numbers of the reference's examples. */
export type Case = readonly [name: string, args: readonly Argument[], expected: Value | Failed];

export const fails = (message: string): Failed => new Failed(message);
export const outOfRange = (name: string): Failed => fails(`an argument of function ${name} is out of range`);
export const cannotConvert = (value: string, type: string): Failed =>
  fails(`cannot convert value '${value}' of type Text to type ${type}`);
export const NOT_FOUND = fails('the search text could not be found in the given text');
export const TOO_LARGE = fails('the result is too large for a whole number');
export const NO_DATE = fails('the value is not a date between the years 100 and 9999');

export const dec = (decimal: string) => ({ decimal });
export const word = (name: string) => ({ word: name });
export const variant = (text: string) => ({ variant: text });

/** A calendar date, converted by JavaScript's Date. */
export function day(
  year: number,
  month: number,
  date: number,
  hour = 0,
  minute = 0,
  second = 0,
): { readonly date: number } {
  const midnight = new Date(Date.UTC(2000, month - 1, date));
  midnight.setUTCFullYear(year, month - 1, date);
  const days = (midnight.getTime() - Date.UTC(1899, 11, 30)) / 86_400_000;
  return { date: days + (hour * 3600 + minute * 60 + second) / 86_400 };
}
