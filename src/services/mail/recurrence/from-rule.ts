import type { PatternedRecurrence, Series } from './types.ts';

/** `exact`: the pattern has the same occurrences. `nearest`: it shows what is meant, but the rules stay the truth. `none`: no pattern comes close. */
export type Conversion =
  | { readonly fit: 'exact' | 'nearest'; readonly recurrence: PatternedRecurrence }
  | { readonly fit: 'none' };

export declare const toPattern: (series: Series, recurrenceTimeZone: string) => Conversion;
