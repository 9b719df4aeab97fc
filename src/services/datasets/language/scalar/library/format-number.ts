import { type Decimal, rounded, unitsAt } from './decimal.ts';
import { LITERAL, literalText, NUMBER_FORMATS, WORD_FORMATS } from './format-kinds.ts';
import { type LibraryPart, procedure } from './part.ts';

/**
 * Number formats: `0` and `#` are digit placeholders, `,` groups thousands or, after the last placeholder, divides by a thousand, `%`
 * multiplies by a hundred, `E+0` adds an exponent. Up to three sections apply to positive numbers, negative numbers and zero.
 */
const TOKEN = `${LITERAL}|[eE][-+][0#]+|.`;
const TOKENS = new RegExp(TOKEN, 'gsu');
const WRITTEN = /^(-?)(\d+)(?:\.(\d+))?(?:E([-+]\d+))?$/;

/** Parses the text that numbers are rendered as. */
export function decimalOfWritten(written: string): Decimal | undefined {
  const parts = WRITTEN.exec(written);
  if (!parts) return undefined;
  const [, sign, integer, fraction = '', exponent = '0'] = parts;
  return { units: BigInt(`${sign}${integer}${fraction}`), scale: fraction.length - Number(exponent) };
}

/** Formats a number that is already rendered as text. Infinities are returned unchanged. */
export function formatNumber(written: string, format: string): string {
  const value = decimalOfWritten(written);
  const name = format.toLowerCase();
  const named = NUMBER_FORMATS[name];
  if (!value || format === '' || named === '') return written;
  const words = WORD_FORMATS[name];
  if (words) return words[value.units === 0n ? 1 : 0];
  return formatSections(value, sectionsOf(named ?? format));
}

function sectionsOf(format: string): string[][] {
  const sections: string[][] = [[]];
  for (const [token] of format.matchAll(TOKENS)) {
    if (token === ';') sections.push([]);
    else sections.at(-1)!.push(token);
  }
  return sections;
}

function formatSections(value: Decimal, sections: readonly string[][]): string {
  const [first = []] = sections;
  const section = (index: number): string[] | undefined => (sections[index]?.length ? sections[index] : undefined);
  const negative = value.units < 0n;
  const size = { units: negative ? -value.units : value.units, scale: value.scale };
  const own = negative ? section(1) : undefined;
  const { text, isZero } = formatSection(size, own ?? first);
  const zero = isZero ? section(2) : undefined;
  if (zero) return formatSection({ units: 0n, scale: 0 }, zero).text;
  return negative && !own && !isZero ? `-${text}` : text;
}

interface Places {
  readonly before: string[];
  readonly behind: string[];
  readonly grouped: boolean;
  /** The power of ten by which the number is multiplied. */
  readonly power: number;
  readonly exponent: string | undefined;
}

function placesOf(tokens: readonly string[]): Places {
  const before: string[] = [];
  const behind: string[] = [];
  let point = false;
  let grouped = false;
  let commas = 0;
  let power = 0;
  let exponent: string | undefined;
  for (const token of tokens) {
    if (token === '0' || token === '#') {
      (point ? behind : before).push(token);
      if (!point && commas > 0) grouped = true;
      if (!point) commas = 0;
    } else if (token === '.') point = true;
    else if (token === ',' && !point && before.length > 0) commas++;
    else if (token === '%') power += 2;
    else if (/^[eE][-+]/.test(token)) exponent ??= token;
  }
  return { before, behind, grouped, power: power - 3 * commas, exponent };
}

/** `value` must not be negative. */
function formatSection(value: Decimal, tokens: readonly string[]): { readonly text: string; readonly isZero: boolean } {
  const places = placesOf(tokens);
  let scaled: Decimal = { units: value.units, scale: value.scale - places.power };
  let exponent = 0;
  if (places.exponent !== undefined && scaled.units > 0n) {
    const wanted = Math.max(places.before.length, 1);
    exponent = String(scaled.units).length - scaled.scale - wanted;
    const mantissa = rounded({ units: scaled.units, scale: scaled.scale + exponent }, places.behind.length, 'nearest');
    if (String(mantissa.units).length - mantissa.scale > wanted) exponent++;
    scaled = { units: scaled.units, scale: scaled.scale + exponent };
  }
  const result = rounded(scaled, places.behind.length, 'nearest');
  const digits = String(unitsAt(result, places.behind.length)).padStart(places.behind.length + 1, '0');
  const split = digits.length - places.behind.length;
  return {
    text: emit(tokens, places, digits.slice(0, split).replace(/^0+/, ''), digits.slice(split), exponent),
    isZero: result.units === 0n,
  };
}

function emit(tokens: readonly string[], places: Places, integer: string, fraction: string, exponent: number): string {
  const total = places.before.length;
  const firstZero = places.before.indexOf('0');
  const lastNeeded = Math.max(fraction.search(/0*$/) - 1, places.behind.lastIndexOf('0'));
  let text = '';
  let before = 0;
  let behind = 0;
  let point = false;
  const digitsAt = (index: number): string => {
    const position = total - index;
    // The first placeholder receives all digits in excess of the placeholders.
    const from = index === 0 ? integer.length : Math.min(position, integer.length);
    let digits = '';
    for (let place = from; place >= position; place--) {
      digits += integer[integer.length - place] ?? '';
      if (places.grouped && place > 1 && (place - 1) % 3 === 0) digits += ',';
    }
    if (position > integer.length && firstZero >= 0 && index >= firstZero) {
      digits += places.grouped && position > 1 && (position - 1) % 3 === 0 ? '0,' : '0';
    }
    return digits;
  };
  for (const token of tokens) {
    if ((token === '0' || token === '#') && !point) text += digitsAt(before++);
    else if (token === '0' || token === '#') {
      if (behind <= lastNeeded) text += fraction[behind];
      behind++;
    } else if (token === '.') {
      if (!point) text += total === 0 ? `${integer}.` : '.';
      point = true;
    } else if (token === places.exponent) {
      const sign = exponent < 0 ? '-' : token[1] === '+' ? '+' : '';
      text += `${token[0]}${sign}${String(Math.abs(exponent)).padStart(token.length - 2, '0')}`;
    } else if (token !== ',') text += literalText(token);
  }
  return text;
}

/** A fixed number of decimals, with thousands separators unless `plain`. */
export function fixed(written: string, decimals: number, plain: boolean): string {
  const format = `${plain ? '0' : '#,##0'}${decimals > 0 ? `.${'0'.repeat(decimals)}` : ''}`;
  const value = decimalOfWritten(written);
  if (!value) return written;
  return formatSections(decimals < 0 ? rounded(value, decimals, 'nearest') : value, sectionsOf(format));
}

export const FORMAT_NUMBER: LibraryPart = {
  functions: {},
  postgres: [
    // Returns the text, and '0' if the number was rounded to zero.
    procedure(
      'format_section',
      { parameters: 'value numeric, tokens text[]', returns: 'text[]' },
      `DECLARE
  token text;
  before text := '';
  behind text := '';
  point boolean := false;
  grouped boolean := false;
  commas int := 0;
  power int := 0;
  exponent_token text;
  exponent int := 0;
  wanted int;
  result numeric;
  digits text;
  fraction text;
  total int;
  spot int;
  place int;
  index int := 0;
  behind_index int := 0;
  last_needed int;
  written text := '';
BEGIN
  FOREACH token IN ARRAY tokens LOOP
    IF token IN ('0', '#') THEN
      IF point THEN
        behind := behind || token;
      ELSE
        before := before || token;
        grouped := grouped OR commas > 0;
        commas := 0;
      END IF;
    ELSIF token = '.' THEN point := true;
    ELSIF token = ',' AND NOT point AND before <> '' THEN commas := commas + 1;
    ELSIF token = '%' THEN power := power + 2;
    ELSIF token ~ '^[eE][-+]' THEN exponent_token := coalesce(exponent_token, token);
    END IF;
  END LOOP;
  value := value * cloudjar.dax_ten_to(power - 3 * commas);
  total := char_length(before);
  IF exponent_token IS NOT NULL AND value > 0 THEN
    wanted := greatest(total, 1);
    digits := trunc(value)::text;
    exponent := CASE WHEN digits <> '0' THEN char_length(digits) ELSE char_length(ltrim(split_part(value::text, '.', 2), '0')) - char_length(split_part(value::text, '.', 2)) END - wanted;
    IF char_length(trunc(round(value * cloudjar.dax_ten_to(-exponent), char_length(behind)))::text) > wanted THEN exponent := exponent + 1; END IF;
    value := value * cloudjar.dax_ten_to(-exponent);
  END IF;
  result := round(value, char_length(behind));
  digits := ltrim(split_part(result::text, '.', 1), '0');
  fraction := split_part(result::text, '.', 2);
  last_needed := greatest(char_length(rtrim(fraction, '0')), char_length(rtrim(behind, '#'))) - 1;
  point := false;
  FOREACH token IN ARRAY tokens LOOP
    IF token IN ('0', '#') AND NOT point THEN
      spot := total - index;
      place := CASE WHEN index = 0 THEN char_length(digits) ELSE least(spot, char_length(digits)) END;
      WHILE place >= spot LOOP
        written := written || substr(digits, char_length(digits) - place + 1, 1);
        IF grouped AND place > 1 AND (place - 1) % 3 = 0 THEN written := written || ','; END IF;
        place := place - 1;
      END LOOP;
      IF spot > char_length(digits) AND strpos(before, '0') > 0 AND index >= strpos(before, '0') - 1 THEN
        written := written || CASE WHEN grouped AND spot > 1 AND (spot - 1) % 3 = 0 THEN '0,' ELSE '0' END;
      END IF;
      index := index + 1;
    ELSIF token IN ('0', '#') THEN
      IF behind_index <= last_needed THEN written := written || substr(fraction, behind_index + 1, 1); END IF;
      behind_index := behind_index + 1;
    ELSIF token = '.' THEN
      IF NOT point THEN written := written || CASE WHEN total = 0 THEN digits ELSE '' END || '.'; END IF;
      point := true;
    ELSIF token = exponent_token THEN
      written := written || left(token, 1) || CASE WHEN exponent < 0 THEN '-' WHEN substr(token, 2, 1) = '+' THEN '+' ELSE '' END
        || lpad(abs(exponent)::text, greatest(char_length(token) - 2, char_length(abs(exponent)::text)), '0');
    ELSIF token <> ',' THEN
      written := written || cloudjar.dax_literal_text(token);
    END IF;
  END LOOP;
  RETURN ARRAY[written, CASE WHEN result = 0 THEN '0' ELSE '1' END];
END`,
    ),
    procedure(
      'format_sections',
      { parameters: 'value numeric, format text', returns: 'text' },
      `DECLARE
  tokens text[] := cloudjar.dax_tokens(format, '${TOKEN}') || ARRAY[';', ';', ';'];
  token text;
  section text[] := '{}';
  first text[];
  second text[];
  third text[];
  own text[];
  result text[];
BEGIN
  FOREACH token IN ARRAY tokens LOOP
    IF token <> ';' THEN
      section := section || token;
      CONTINUE;
    END IF;
    IF first IS NULL THEN first := section; ELSIF second IS NULL THEN second := section; ELSIF third IS NULL THEN third := section; END IF;
    section := '{}';
  END LOOP;
  own := CASE WHEN value < 0 AND second <> '{}' THEN second ELSE first END;
  result := cloudjar.dax_format_section(abs(value), own);
  IF result[2] = '0' AND third <> '{}' THEN RETURN (cloudjar.dax_format_section(0, third))[1]; END IF;
  RETURN CASE WHEN value < 0 AND second = '{}' AND result[2] <> '0' THEN '-' ELSE '' END || result[1];
END`,
    ),
    procedure(
      'format_as_number',
      { parameters: 'written text, format text', returns: 'text' },
      `DECLARE
  name text := cloudjar.fn_tolower(format);
  named text := cloudjar.dax_named_number_format(name);
BEGIN
  IF written LIKE '%Infinity' OR format = '' OR named = '' THEN RETURN written; END IF;
  RETURN coalesce(cloudjar.dax_format_word(name, written = '0'), cloudjar.dax_format_sections(written::numeric, coalesce(named, format)));
END`,
    ),
  ],
};
