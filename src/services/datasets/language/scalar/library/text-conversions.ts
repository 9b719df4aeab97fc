import { dateInText } from './date-text.ts';
import { type Decimal, decimalOf, doubleOf } from './decimal.ts';
import { cannotConvert, fail, type TypeName } from './failures.ts';
import { decimalInText, fixedOf, wholeOf } from './number-text.ts';
import { type LibraryPart, procedure, strict, text } from './part.ts';

/** A text is parsed as a number first, then as a date. */
function exactly(value: string, type: TypeName): Decimal {
  const decimal = decimalInText(value);
  if (decimal && Number.isFinite(doubleOf(decimal))) return decimal;
  const serial = dateInText(value);
  return serial === undefined ? fail(cannotConvert(value, type)) : decimalOf(serial);
}

export function doubleOfText(value: string, type: TypeName): number {
  const decimal = decimalInText(value);
  const double = decimal ? doubleOf(decimal) : (dateInText(value) ?? Number.NaN);
  return Number.isFinite(double) ? double : fail(cannotConvert(value, type));
}

export const wholeOfText = (value: string): bigint => wholeOf(exactly(value, 'Number'));

export const fixedOfText = (value: string): bigint => fixedOf(exactly(value, 'Number'));

export function booleanOfText(value: string): bigint {
  if (/^true$/i.test(value)) return 1n;
  return /^false$/i.test(value) ? 0n : fail(cannotConvert(value, 'True/False'));
}

const written = (name: string, type: TypeName) =>
  procedure(
    name,
    { parameters: 'value text', returns: 'float8', fails: true },
    `DECLARE
  decimal numeric := cloudjar.dax_number_in_text(value);
  double float8 := CASE WHEN decimal IS NULL THEN cloudjar.dax_date_in_text(value) ELSE cloudjar.dax_double(decimal) END;
BEGIN
  IF double IS NULL OR abs(double) = 'Infinity' THEN PERFORM cloudjar.dax_cannot_convert(value, '${type}'); END IF;
  RETURN double;
END`,
  );

const exact = (name: string, result: string) =>
  procedure(
    name,
    { parameters: 'value text', returns: 'bigint', fails: true },
    `DECLARE exact numeric := cloudjar.dax_number_in_text(value);
BEGIN
  IF exact IS NULL OR abs(cloudjar.dax_double(exact)) = 'Infinity' THEN exact := cloudjar.dax_number(value)::numeric; END IF;
  RETURN ${result};
END`,
  );

export const TEXT_CONVERSIONS: LibraryPart = {
  functions: {
    dax_number: strict.one(text, (value) => doubleOfText(value, 'Number')),
    dax_date: strict.one(text, (value) => doubleOfText(value, 'Date')),
    dax_text_int: strict.one(text, wholeOfText),
    dax_text_decimal: strict.one(text, fixedOfText),
    dax_boolean: strict.one(text, booleanOfText),
  },
  postgres: [
    written('number', 'Number'),
    written('date', 'Date'),
    exact('text_int', 'cloudjar.dax_integral(round(exact))'),
    exact('text_decimal', 'cloudjar.dax_fixed_integral(round(exact, 4) * 10000)'),
    procedure(
      'boolean',
      { parameters: 'value text', returns: 'bigint', fails: true },
      `BEGIN RETURN CASE lower(value COLLATE "C") WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE cloudjar.dax_cannot_convert(value, 'True/False')::bigint END; END`,
    ),
  ],
};
