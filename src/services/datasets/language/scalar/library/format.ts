import { doubleOf } from './decimal.ts';
import { fail, outOfRange } from './failures.ts';
import { formatDate } from './format-date.ts';
import { formatKind, WHEN_TOO_LONG, WORD_FORMATS } from './format-kinds.ts';
import { decimalOfWritten, fixed, formatNumber } from './format-number.ts';
import { doubleText } from './number-text.ts';
import { inlined, type LibraryPart, number, procedure, quoted, strict, text } from './part.ts';
import { textOfVariant } from './variants.ts';

/** FORMAT and FIXED. Numbers arrive as text, so that one function serves all number types. */

const MOST_DECIMALS = 127;

function formattedNumber(written: string, format: string): string {
  if (formatKind(format) !== 'date') return formatNumber(written, format);
  const value = decimalOfWritten(written);
  return value ? formatDate(doubleOf(value), format) : written;
}

const formattedDate = (serial: number, format: string): string =>
  formatKind(format) === 'number' ? formatNumber(doubleText(serial), format) : formatDate(serial, format);

/** A boolean is rendered as True or False in any format, except formats with their own words. */
function formattedBoolean(value: boolean, format: string): string {
  return WORD_FORMATS[format.toLowerCase()]?.[value ? 0 : 1] ?? (value ? 'True' : 'False');
}

function formattedVariant(value: string, format: string): string {
  switch (value[0]) {
    case 's':
      return value.slice(1);
    case 'b':
      return formattedBoolean(value === 'b1', format);
    case 'd':
      return formattedDate(Number(value.slice(1)), format);
    default:
      return formattedNumber(textOfVariant(value), format);
  }
}

const texts = { returns: 'text', fails: true } as const;

export const FORMAT: LibraryPart = {
  functions: {
    dax_format_number: strict.two(text, text, formattedNumber),
    dax_format_date: strict.two(number, text, formattedDate),
    dax_format_boolean: strict.two(number, text, (value, format) => formattedBoolean(value !== 0, format)),
    dax_format_variant: strict.two(text, text, formattedVariant),
    dax_fixed: strict.three(text, number, number, (written, decimals, plain) =>
      decimals > MOST_DECIMALS ? fail(outOfRange('FIXED')) : fixed(written, Math.max(decimals, -400), plain !== 0),
    ),
  },
  postgres: [
    inlined(
      'format_number',
      { parameters: 'written text, format text', ...texts },
      `CASE ${WHEN_TOO_LONG} WHEN cloudjar.dax_format_kind(format) <> 'date' THEN cloudjar.dax_format_as_number(written, format)
        WHEN written LIKE '%Infinity' THEN written ELSE cloudjar.dax_format_as_date(cloudjar.dax_double(written::numeric), format) END`,
    ),
    inlined(
      'format_date',
      { parameters: 'serial float8, format text', ...texts },
      `CASE ${WHEN_TOO_LONG} WHEN cloudjar.dax_format_kind(format) = 'number' THEN cloudjar.dax_format_as_number(cloudjar.dax_double_text(serial), format)
        WHEN cloudjar.dax_date_template(format) IS NULL THEN cloudjar.dax_format_as_date(serial, format)
        ELSE to_char(cloudjar.dax_date_of(serial) + cloudjar.dax_time_of(serial) * interval '1 millisecond', cloudjar.dax_date_template(format)) END`,
    ),
    inlined(
      'format_boolean',
      { parameters: 'value bigint, format text', returns: 'text' },
      `CASE WHEN value IS NOT NULL THEN coalesce(cloudjar.dax_format_word(cloudjar.fn_tolower(format), value = 0), CASE value WHEN 0 THEN 'False' ELSE 'True' END) END`,
    ),
    procedure(
      'format_variant',
      { parameters: 'value text, format text', ...texts },
      `BEGIN
  RETURN CASE left(value, 1) WHEN 's' THEN substr(value, 2) WHEN 'b' THEN cloudjar.dax_format_boolean(substr(value, 2)::bigint, format)
    WHEN 'd' THEN cloudjar.dax_format_date(substr(value, 2)::float8, format) ELSE cloudjar.dax_format_number(cloudjar.dax_variant_text(value), format) END;
END`,
    ),
    procedure(
      'fixed',
      { parameters: 'written text, decimals bigint, plain bigint', ...texts },
      `DECLARE format text := CASE WHEN plain <> 0 THEN '0' ELSE '#,##0' END;
BEGIN
  IF decimals > ${MOST_DECIMALS} THEN PERFORM cloudjar.dax_fail(${quoted(outOfRange('FIXED'))}, ''); END IF;
  IF written LIKE '%Infinity' THEN RETURN written; END IF;
  IF decimals > 0 THEN format := format || '.' || repeat('0', decimals::int); END IF;
  RETURN cloudjar.dax_format_sections(round(written::numeric, greatest(decimals, -400)::int), format);
END`,
    ),
  ],
};
