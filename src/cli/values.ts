import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../kernel/time/duration.ts';
import { durationMistake } from './duration-argument.ts';

/** Parsers of option and argument values. They throw what is accepted; `mistakes.ts` adds the name and the value. */

const MOST_DIGITS = 15;

/** A whole number within bounds. */
export function wholeNumber({ from = 0, to }: { readonly from?: number; readonly to?: number } = {}) {
  return (typed: string): number => {
    const value = Number(typed);
    const isWhole = /^\d+$/.test(typed) && typed.length <= MOST_DIGITS;
    if (isWhole && value >= from && value <= (to ?? value)) return value;
    throw new InvalidArgumentError(`a whole number ${to === undefined ? `from ${from} on` : `from ${from} to ${to}`}`);
  };
}

/** How many items a list shows. */
export const count = wholeNumber({ from: 1, to: 999_999_999 });

/** A number that may have a fraction. */
export function decimal({ from, to }: { readonly from: number; readonly to?: number }) {
  return (typed: string): number => {
    const value = Number(typed);
    const isNumber = /^(\d+(\.\d+)?|\.\d+)$/.test(typed) && typed.length <= MOST_DIGITS * 2;
    if (isNumber && value >= from && value <= (to ?? value)) return value;
    throw new InvalidArgumentError(`a number ${to === undefined ? `from ${from} on` : `from ${from} to ${to}`}`);
  };
}

/** A duration with its unit, returned as typed. */
export function duration(typed: string): string {
  const mistake = durationMistake(typed);
  if (mistake !== undefined) throw new InvalidArgumentError(mistake);
  return typed.trim();
}

/** A duration greater than zero. */
export function someDuration(typed: string): string {
  const text = duration(typed);
  if (parseDuration(text) <= 0) throw new InvalidArgumentError('longer than nothing');
  return text;
}

export const milliseconds = (typed: string): number => parseDuration(duration(typed));

/** Collects the values of an option that may be repeated. */
export const several = (typed: string, before: readonly string[] = []): readonly string[] => [...before, typed];
