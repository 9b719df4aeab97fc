import { inlined, type LibraryPart, strict, text } from './part.ts';

/** Messages of run-time errors, the same on both engines. */
export const TOO_LARGE = 'the result is too large for a whole number';
export const TOO_LARGE_DECIMAL = 'the result is too large for a fixed decimal number';
export const NO_DATE = 'the value is not a date between the years 100 and 9999';
export const NOT_FOUND = 'the search text could not be found in the given text';
export const TOO_LONG = 'the resulting text is too long';
export const zeroDivisor = (name: string): string => `the divisor of ${name} must not be zero`;
export const outOfRange = (name: string): string => `an argument of function ${name} is out of range`;

/** Type names in conversion messages. */
export type TypeName = 'Number' | 'Date' | 'True/False';

/** Longer values are cut in messages. */
const SHOWN = 100;

export const cannotConvert = (value: string, type: TypeName): string =>
  `cannot convert value '${Array.from(value).slice(0, SHOWN).join('')}' of type Text to type ${type}`;

export function fail(message: string): never {
  throw new Error(message);
}

export const FAILURES: LibraryPart = {
  functions: { dax_fail: strict.two(text, text, (message) => fail(message)) },
  postgres: [
    `CREATE OR REPLACE FUNCTION cloudjar.dax_fail(message text, cause text) RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE COST 1 AS $fn$
BEGIN RAISE EXCEPTION '%', message USING ERRCODE = 'CJ001'; END
$fn$;`,
    inlined(
      'cannot_convert',
      { parameters: 'value text, type text', returns: 'text', fails: true },
      `cloudjar.dax_fail('cannot convert value ''' || left(value, ${SHOWN}) || ''' of type Text to type ' || type, value)`,
    ),
  ],
};
