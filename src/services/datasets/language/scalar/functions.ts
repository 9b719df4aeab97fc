import { DATE_FUNCTIONS } from './functions/dates.ts';
import { INFORMATION_FUNCTIONS } from './functions/information.ts';
import { MATHS_FUNCTIONS } from './functions/maths.ts';
import { ROUNDING_FUNCTIONS } from './functions/rounding.ts';
import type { ScalarFunction } from './functions/row.ts';
import { TEXT_FUNCTIONS } from './functions/texts.ts';

export type { ScalarFunction } from './functions/row.ts';

/** The functions that only compute with the values of their arguments. */
export const SCALAR_FUNCTIONS: ReadonlyMap<string, ScalarFunction> = new Map(
  [TEXT_FUNCTIONS, MATHS_FUNCTIONS, ROUNDING_FUNCTIONS, DATE_FUNCTIONS, INFORMATION_FUNCTIONS]
    .flat()
    .map((each) => [each.name, each]),
);

/** Looks up a function by its name in upper case. */
export const scalarFunction = (name: string): ScalarFunction | undefined => SCALAR_FUNCTIONS.get(name);
