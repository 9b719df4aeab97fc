import { type Decimal, decimalOf, doubleOf, rounded, unitsAt } from './decimal.ts';
import { cannotConvert, fail, TOO_LARGE, TOO_LARGE_DECIMAL } from './failures.ts';
import { failing, inlined, type LibraryPart, number, procedure, strict, whole } from './part.ts';

/** The longest text of a number that the language can produce; longer texts are not examined. */
const LONGEST = 330;
const BLANKS = String.raw`[ \t\n\v\f\r]*`;
const NUMBER = '^([-+]?)[$]?([0-9][0-9,]*)?([.][0-9]*)?([eE][-+]?[0-9]{1,3})?$';
const TRIMMED = String.raw`^${BLANKS}(.*[^ \t\n\v\f\r])${BLANKS}$`;

const NUMBER_PATTERN = new RegExp(NUMBER);
const TRIMMED_PATTERN = new RegExp(TRIMMED, 's');

/** Trims blanks at both ends. Returns undefined if nothing is left. */
export const trimmed = (value: string): string | undefined => TRIMMED_PATTERN.exec(value)?.[1];

/** Parses a number in US notation: `-1,234.5`, `$12`, `(3)`, `1.5e3`. Returns undefined if the text is not a number. */
export function decimalInText(value: string): Decimal | undefined {
  let written = value.length > LONGEST ? undefined : trimmed(value);
  if (written === undefined) return undefined;
  const negated = written.length > 2 && written.startsWith('(') && written.endsWith(')');
  if (negated) written = written.slice(1, -1);
  const parts = NUMBER_PATTERN.exec(written);
  if (!parts) return undefined;
  const [, sign, integer = '', fraction = '.', exponent = 'e0'] = parts;
  const digits = integer.replaceAll(',', '') + fraction.slice(1);
  if (digits === '') return undefined;
  const units = BigInt(digits);
  return { units: (sign === '-') === negated ? units : -units, scale: fraction.length - 1 - Number(exponent.slice(1)) };
}

const LARGEST = 2n ** 63n - 1n;
const SMALLEST = -(2n ** 63n);

export function wholeWithin(value: bigint, message = TOO_LARGE): bigint {
  return value > LARGEST || value < SMALLEST ? fail(message) : value;
}

/** The nearest integer; halves round away from zero. */
export function wholeOf(value: Decimal): bigint {
  return wholeWithin(unitsAt(rounded(value, 0, 'nearest'), 0));
}

const DECIMAL_PLACES = 4;

/** In ten-thousandths. */
export function fixedOf(value: Decimal): bigint {
  return wholeWithin(unitsAt(rounded(value, DECIMAL_PLACES, 'nearest'), DECIMAL_PLACES), TOO_LARGE_DECIMAL);
}

export const decimalOfFixed = (units: bigint): Decimal => ({ units, scale: DECIMAL_PLACES });

/** Plain decimal notation without trailing zeros. */
export function plainText(value: Decimal): string {
  const { units, scale } = value;
  if (scale <= 0) return String(unitsAt(value, 0));
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Doubles from 0.0001 up to 10¹⁵ are written in plain notation, others with an exponent: `1.5E+20`, `1E-05`. */
const PLAIN = { from: -4, below: 15 };

export function doubleText(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  const decimal = decimalOf(value);
  if (decimal.units === 0n) return '0';
  const digits = String(decimal.units).replace(/^-/, '');
  const exponent = digits.length - 1 - decimal.scale;
  if (exponent >= PLAIN.from && exponent < PLAIN.below) return plainText(decimal);
  const significant = digits.replace(/0+$/, '');
  const fraction = significant.length > 1 ? `.${significant.slice(1)}` : '';
  const power = `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  return `${value < 0 ? '-' : ''}${significant[0]}${fraction}E${power}`;
}

/** Rounds halves away from zero. Works on the double itself rather than on its 15 digits, which would falsify large integers. */
export function wholeOfDouble(value: number): bigint {
  const cut = Math.trunc(value);
  return wholeOfIntegral(Math.abs(value - cut) >= 0.5 ? cut + Math.sign(value) : cut);
}

export function wholeOfIntegral(value: number): bigint {
  return value >= -(2 ** 63) && value < 2 ** 63 ? BigInt(value) : fail(TOO_LARGE);
}

export function numberOfText(value: string): number {
  const decimal = decimalInText(value);
  const double = decimal === undefined ? Number.NaN : doubleOf(decimal);
  return Number.isFinite(double) ? double : fail(cannotConvert(value, 'Number'));
}

/** Numbers from the first bound on overflow a double; numbers up to the second one underflow to zero. */
const BEYOND_DOUBLES = (2n ** 1024n - 2n ** 970n).toString();
const BELOW_DOUBLES = '2.47032822920623272e-324';

export const NUMBER_TEXT: LibraryPart = {
  functions: {
    dax_double_text: strict.one(number, doubleText),
    dax_decimal_text: strict.one(whole, (units) => plainText(decimalOfFixed(units))),
    dax_double_int: strict.one(number, wholeOfDouble),
    dax_double_decimal: strict.one(number, (value) =>
      Number.isFinite(value) ? fixedOf(decimalOf(value)) : fail(TOO_LARGE_DECIMAL),
    ),
    dax_int: strict.one(number, (value) => wholeOfIntegral(Math.floor(value))),
  },
  postgres: [
    inlined(
      'integral',
      { parameters: 'value numeric', returns: 'bigint', fails: true },
      `CASE WHEN value BETWEEN ${SMALLEST} AND ${LARGEST} THEN value::bigint WHEN value IS NOT NULL THEN ${failing(TOO_LARGE, 'value', 'bigint')} END`,
    ),
    inlined(
      'fixed_integral',
      { parameters: 'value numeric', returns: 'bigint', fails: true },
      `CASE WHEN value BETWEEN ${SMALLEST} AND ${LARGEST} THEN value::bigint WHEN value IS NOT NULL THEN ${failing(TOO_LARGE_DECIMAL, 'value', 'bigint')} END`,
    ),
    inlined(
      'whole',
      { parameters: 'value float8', returns: 'bigint', fails: true },
      `CASE WHEN value >= -9223372036854775808 AND value < 9223372036854775808 THEN value::bigint WHEN value IS NOT NULL THEN ${failing(TOO_LARGE, 'value', 'bigint')} END`,
    ),
    inlined('int', { parameters: 'value float8', returns: 'bigint', fails: true }, 'cloudjar.dax_whole(floor(value))'),
    inlined(
      'double_int',
      { parameters: 'value float8', returns: 'bigint', fails: true },
      'cloudjar.dax_whole(CASE WHEN abs(value - trunc(value)) >= 0.5 THEN trunc(value) + sign(value) ELSE trunc(value) END)',
    ),
    inlined(
      'double',
      { parameters: 'value numeric', returns: 'float8' },
      `CASE WHEN value >= ${BEYOND_DOUBLES} THEN 'Infinity'::float8 WHEN value <= -${BEYOND_DOUBLES} THEN '-Infinity'::float8
        WHEN abs(value) <= ${BELOW_DOUBLES} THEN 0::float8 ELSE value::float8 END`,
    ),
    inlined(
      'int_decimal',
      { parameters: 'value bigint', returns: 'bigint', fails: true },
      `CASE WHEN value BETWEEN -922337203685477 AND 922337203685477 THEN value * 10000 WHEN value IS NOT NULL THEN ${failing(TOO_LARGE_DECIMAL, 'value', 'bigint')} END`,
    ),
    inlined('decimal_int', { parameters: 'value bigint', returns: 'bigint' }, 'value / 10000 + (value % 10000) / 5000'),
    inlined(
      'double_decimal',
      { parameters: 'value float8', returns: 'bigint', fails: true },
      `CASE WHEN abs(value) < 1e15 THEN cloudjar.dax_fixed_integral(round(value::numeric, 4) * 10000) WHEN value IS NOT NULL THEN ${failing(TOO_LARGE_DECIMAL, 'value', 'bigint')} END`,
    ),
    inlined(
      'decimal_text',
      { parameters: 'value bigint', returns: 'text' },
      `CASE WHEN value % 10000 = 0 THEN (value / 10000)::text ELSE rtrim((value * 0.0001)::text, '0') END`,
    ),
    procedure(
      'general_double_text',
      { parameters: 'value float8', returns: 'text' },
      `DECLARE
  written text;
  digits text;
  power int;
BEGIN
  IF abs(value) = 'Infinity' THEN RETURN value::text; END IF;
  written := abs(value::numeric)::text;
  IF written = '0' THEN RETURN '0'; END IF;
  power := CASE WHEN written LIKE '0.%' THEN char_length(ltrim(substr(written, 3), '0')) - char_length(written) + 1
    ELSE strpos(written || '.', '.') - 2 END;
  IF power >= ${PLAIN.from} AND power < ${PLAIN.below} THEN RETURN (value::numeric)::text; END IF;
  digits := rtrim(ltrim(replace(written, '.', ''), '0'), '0');
  RETURN CASE WHEN value < 0 THEN '-' ELSE '' END || left(digits, 1)
    || CASE WHEN char_length(digits) > 1 THEN '.' || substr(digits, 2) ELSE '' END
    || 'E' || CASE WHEN power < 0 THEN '-' ELSE '+' END || lpad(abs(power)::text, greatest(2, char_length(abs(power)::text)), '0');
END`,
    ),
    // For numbers of ordinary size, PostgreSQL's own text already has the right digits.
    inlined(
      'double_text',
      { parameters: 'value float8', returns: 'text' },
      `CASE WHEN abs(value) BETWEEN 1e-4 AND 9e14 THEN value::numeric::text ELSE cloudjar.dax_general_double_text(value) END`,
    ),
    procedure(
      'trimmed',
      { parameters: 'value text', returns: 'text' },
      `BEGIN RETURN (regexp_match(value, '${TRIMMED}'))[1]; END`,
    ),
    procedure(
      'number_in_text',
      { parameters: 'value text', returns: 'numeric' },
      `DECLARE
  written text := CASE WHEN cloudjar.dax_len(value) <= ${LONGEST} THEN cloudjar.dax_trimmed(value) END;
  negated boolean := false;
  parts text[];
  digits text;
BEGIN
  IF char_length(written) > 2 AND left(written, 1) = '(' AND right(written, 1) = ')' THEN
    negated := true;
    written := substr(written, 2, char_length(written) - 2);
  END IF;
  parts := regexp_match(written, '${NUMBER}');
  digits := replace(coalesce(parts[2], ''), ',', '') || coalesce(parts[3], '');
  IF parts IS NULL OR digits IN ('', '.') THEN RETURN NULL; END IF;
  IF right(digits, 1) = '.' THEN digits := digits || '0'; END IF;
  RETURN CASE WHEN (parts[1] = '-') = negated THEN 1 ELSE -1 END * ('0' || digits || coalesce(parts[4], ''))::numeric;
END`,
    ),
  ],
};
