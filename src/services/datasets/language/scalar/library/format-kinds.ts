import { fail, outOfRange } from './failures.ts';
import { failing, inlined, type LibraryPart, procedure, quoted } from './part.ts';

/** Named formats in lower case and their definitions; an empty definition means special rules. */
export const NUMBER_FORMATS: Readonly<Record<string, string>> = {
  'general number': '',
  currency: '$#,##0.00;($#,##0.00)',
  fixed: '0.00',
  standard: '#,##0.00',
  percent: '0.00%',
  scientific: '0.00E+00',
};

/** The words for a non-zero number and for zero. */
export const WORD_FORMATS: Readonly<Record<string, readonly [string, string]>> = {
  'yes/no': ['Yes', 'No'],
  'true/false': ['True', 'False'],
  'on/off': ['On', 'Off'],
};

export const DATE_FORMATS: Readonly<Record<string, string>> = {
  'general date': '',
  'long date': 'dddd, mmmm d, yyyy',
  'medium date': 'dd-mmm-yy',
  'short date': 'm/d/yyyy',
  'long time': 'h:nn:ss AM/PM',
  'medium time': 'hh:nn AM/PM',
  'short time': 'hh:nn',
};

/** An escaped character, or quoted text; the closing quote may be missing. */
export const LITERAL = String.raw`\\.|"[^"]*(?:"|$)`;
const LITERALS = new RegExp(LITERAL, 'gsu');

/** In UTF-16 units. Bounded because a format can request a power of ten as large as its length. */
const LONGEST_FORMAT = 1000;

/** A CASE branch that fails when the row is evaluated. A check of a constant format when the statement is planned must not fail. */
export const WHEN_TOO_LONG = `WHEN cloudjar.dax_len(format) > ${LONGEST_FORMAT} THEN ${failing(outOfRange('FORMAT'), 'format', 'text')}`;

export type FormatKind = 'number' | 'date' | 'plain';

/**
 * A format with a digit placeholder is a number format. Otherwise a format with a date letter is a date format, even if the value is a
 * number.
 */
export function formatKind(format: string): FormatKind {
  if (format.length > LONGEST_FORMAT) fail(outOfRange('FORMAT'));
  const name = format.toLowerCase();
  if (name in NUMBER_FORMATS || name in WORD_FORMATS) return 'number';
  if (name in DATE_FORMATS) return 'date';
  const rest = format.replace(LITERALS, '');
  if (/[0#]/.test(rest)) return 'number';
  return /[dmyhnsqwc]/i.test(rest) ? 'date' : 'plain';
}

/** The text of a literal, without its quotes or escape character. */
export const literalText = (token: string): string =>
  token.startsWith('\\') && token.length > 1
    ? token.slice(1)
    : token.startsWith('"')
      ? token.slice(1).replace(/"$/, '')
      : token;

const list = (names: readonly string[]): string => names.map(quoted).join(', ');
const cases = (formats: Readonly<Record<string, string>>): string =>
  Object.entries(formats)
    .map(([name, format]) => `WHEN ${quoted(name)} THEN ${quoted(format)}`)
    .join(' ');

export const FORMAT_KINDS: LibraryPart = {
  functions: {},
  postgres: [
    procedure(
      'format_kind',
      { parameters: 'format text', returns: 'text' },
      `DECLARE
  name text := cloudjar.fn_tolower(format);
  rest text;
BEGIN
  IF name IN (${list([...Object.keys(NUMBER_FORMATS), ...Object.keys(WORD_FORMATS)])}) THEN RETURN 'number'; END IF;
  IF name IN (${list(Object.keys(DATE_FORMATS))}) THEN RETURN 'date'; END IF;
  rest := regexp_replace(format, '${LITERAL}', '', 'g');
  RETURN CASE WHEN rest ~ '[0#]' THEN 'number' WHEN rest ~ '[dmyhnsqwcDMYHNSQWC]' THEN 'date' ELSE 'plain' END;
END`,
    ),
    inlined(
      'named_number_format',
      { parameters: 'name text', returns: 'text' },
      `CASE name ${cases(NUMBER_FORMATS)} END`,
    ),
    inlined('named_date_format', { parameters: 'name text', returns: 'text' }, `CASE name ${cases(DATE_FORMATS)} END`),
    inlined(
      'format_word',
      { parameters: 'name text, is_zero boolean', returns: 'text' },
      `CASE name ${Object.entries(WORD_FORMATS)
        .map(
          ([name, [yes, no]]) =>
            `WHEN ${quoted(name)} THEN CASE WHEN is_zero THEN ${quoted(no)} ELSE ${quoted(yes)} END`,
        )
        .join(' ')} END`,
    ),
    inlined(
      'literal_text',
      { parameters: 'token text', returns: 'text' },
      String.raw`CASE WHEN token LIKE '\\_%' THEN substr(token, 2) WHEN left(token, 1) = '"' THEN regexp_replace(substr(token, 2), '"$', '') ELSE token END`,
    ),
  ],
};
