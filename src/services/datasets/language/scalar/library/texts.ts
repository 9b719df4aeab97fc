import { fail, outOfRange, TOO_LONG } from './failures.ts';
import { failing, inlined, type LibraryPart, number, procedure, quoted, strict, text } from './part.ts';

/**
 * Positions and lengths count UTF-16 units. A character beyond U+FFFF has two; if a function cuts between them, each remaining half becomes
 * U+FFFD, because databases cannot store half a surrogate pair.
 */
const HALF = '\ufffd';
const LONGEST_REPETITION = 32_767;
/** Limit for results of SUBSTITUTE, which can grow with the product of two lengths. */
const LONGEST_RESULT = 1_000_000;

const slice = (value: string, from: number, to: number): string => value.slice(from, to).toWellFormed();

function left(value: string, count: number): string {
  return count < 0 ? fail(outOfRange('LEFT')) : slice(value, 0, count);
}

function right(value: string, count: number): string {
  return count < 0 ? fail(outOfRange('RIGHT')) : slice(value, Math.max(value.length - count, 0), value.length);
}

function mid(value: string, start: number, count: number): string {
  return start < 1 || count < 0 ? fail(outOfRange('MID')) : slice(value, start - 1, start - 1 + count);
}

function replace(value: string, start: number, count: number, by: string): string {
  if (start < 1 || count < 0) fail(outOfRange('REPLACE'));
  return slice(value, 0, start - 1) + by + slice(value, start - 1 + count, value.length);
}

function substituteAll(value: string, old: string, by: string): string {
  if (old === '') return value;
  const parts = value.split(old);
  return bounded(value.length + (parts.length - 1) * (by.length - old.length), () => parts.join(by));
}

function substitute(value: string, old: string, by: string, instance: number): string {
  if (instance < 1) fail(outOfRange('SUBSTITUTE'));
  if (old === '') return value;
  let at = -old.length;
  for (let found = 0; found < instance; found++) {
    at = value.indexOf(old, at + old.length);
    if (at < 0) return value;
  }
  return bounded(value.length + by.length - old.length, () => value.slice(0, at) + by + value.slice(at + old.length));
}

function bounded(length: number, make: () => string): string {
  return length > LONGEST_RESULT ? fail(TOO_LONG) : make();
}

function repeated(value: string, count: number): string | null {
  if (count < 0) fail(outOfRange('REPT'));
  if (count === 0) return null;
  if (value === '') return value;
  return value.length * count > LONGEST_REPETITION ? fail(TOO_LONG) : value.repeat(count);
}

const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

function characterOf(code: number): string {
  return code < 1 || code > 0x10ffff || isSurrogate(code) ? fail(outOfRange('UNICHAR')) : String.fromCodePoint(code);
}

/** Characters beyond U+FFFF. */
const ASTRAL = String.raw`[\U00010000-\U0010FFFF]`;
const NOT_ASTRAL = String.raw`[^\U00010000-\U0010FFFF]`;
const texts = { returns: 'text', fails: true } as const;

export const TEXTS: LibraryPart = {
  functions: {
    dax_bounded: strict.one(text, (value) => bounded(value.length, () => value)),
    dax_len: strict.one(text, (value) => BigInt(value.length)),
    dax_left: strict.two(text, number, left),
    dax_right: strict.two(text, number, right),
    dax_mid: strict.three(text, number, number, mid),
    dax_replace: strict.four(text, number, number, text, replace),
    dax_substitute_all: strict.three(text, text, text, substituteAll),
    dax_substitute: strict.four(text, text, text, number, substitute),
    dax_rept: strict.two(text, number, repeated),
    dax_upper: strict.one(text, (value) => value.toUpperCase()),
    dax_lower: strict.one(text, (value) => value.toLowerCase()),
    dax_trim: strict.one(text, (value) => value.replace(/ +/g, ' ').replace(/^ | $/g, '')),
    dax_unichar: strict.one(number, characterOf),
    dax_unicode: strict.one(text, (value) => BigInt(value.codePointAt(0) ?? fail(outOfRange('UNICODE')))),
  },
  postgres: [
    inlined(
      'astral',
      { parameters: 'value text', returns: 'boolean' },
      `octet_length(value) <> char_length(value) AND value ~ '${ASTRAL}'`,
    ),
    inlined(
      'len',
      { parameters: 'value text', returns: 'bigint' },
      `(CASE WHEN cloudjar.dax_astral(value) THEN char_length(value) + char_length(regexp_replace(value, '${NOT_ASTRAL}', '', 'g')) ELSE char_length(value) END)::bigint`,
    ),
    procedure(
      'bounded',
      { parameters: 'value text', ...texts },
      `BEGIN
  IF cloudjar.dax_len(value) > ${LONGEST_RESULT} THEN PERFORM cloudjar.dax_fail(${quoted(TOO_LONG)}, ''); END IF;
  RETURN value;
END`,
    ),
    procedure(
      'slice_units',
      { parameters: 'value text, from_unit bigint, to_unit bigint', returns: 'text' },
      `BEGIN
  RETURN coalesce((
    SELECT string_agg(CASE WHEN start >= from_unit AND start + width <= to_unit THEN c ELSE '${HALF}' END, '' ORDER BY n)
    FROM (SELECT c, n, width, sum(width) OVER (ORDER BY n) - width AS start
      FROM (SELECT c, n, CASE WHEN c ~ '${ASTRAL}' THEN 2 ELSE 1 END AS width FROM unnest(string_to_array(value, NULL)) WITH ORDINALITY AS chars(c, n)) AS wide) AS placed
    WHERE start + width > from_unit AND start < to_unit AND from_unit < to_unit), '');
END`,
    ),
    inlined(
      'slice',
      { parameters: 'value text, from_unit bigint, to_unit bigint', returns: 'text' },
      `CASE WHEN cloudjar.dax_astral(value) THEN cloudjar.dax_slice_units(value, from_unit, to_unit)
        ELSE substr(value, least(from_unit, 1000000000)::int + 1, least(greatest(to_unit - from_unit, 0), 1000000000)::int) END`,
    ),
    inlined(
      'left',
      { parameters: 'value text, count bigint', ...texts },
      `CASE WHEN count < 0 THEN ${failing(outOfRange('LEFT'), 'count', 'text')} ELSE cloudjar.dax_slice(value, 0, count) END`,
    ),
    inlined(
      'right',
      { parameters: 'value text, count bigint', ...texts },
      `CASE WHEN count < 0 THEN ${failing(outOfRange('RIGHT'), 'count', 'text')} ELSE cloudjar.dax_slice(value, greatest(cloudjar.dax_len(value) - count, 0), cloudjar.dax_len(value)) END`,
    ),
    inlined(
      'mid',
      { parameters: 'value text, start bigint, count bigint', ...texts },
      `CASE WHEN start < 1 OR count < 0 THEN ${failing(outOfRange('MID'), 'least(start, count)', 'text')} ELSE cloudjar.dax_slice(value, start - 1, start - 1 + count) END`,
    ),
    procedure(
      'replace',
      { parameters: 'value text, start bigint, count bigint, by text', ...texts },
      `BEGIN
  IF start < 1 OR count < 0 THEN PERFORM cloudjar.dax_fail(${quoted(outOfRange('REPLACE'))}, ''); END IF;
  RETURN cloudjar.dax_slice(value, 0, start - 1) || by || cloudjar.dax_slice(value, start - 1 + count, greatest(cloudjar.dax_len(value), start - 1 + count));
END`,
    ),
    procedure(
      'substitute_all',
      { parameters: 'value text, old text, by text', ...texts },
      `DECLARE found bigint;
BEGIN
  IF old = '' THEN RETURN value; END IF;
  found := (char_length(value) - char_length(replace(value, old, ''))) / char_length(old);
  IF cloudjar.dax_len(value) + found * (cloudjar.dax_len(by) - cloudjar.dax_len(old)) > ${LONGEST_RESULT} THEN PERFORM cloudjar.dax_fail(${quoted(TOO_LONG)}, ''); END IF;
  RETURN replace(value, old, by);
END`,
    ),
    procedure(
      'substitute',
      { parameters: 'value text, old text, by text, instance bigint', ...texts },
      `DECLARE
  kept int := 0;
  place int;
BEGIN
  IF instance < 1 THEN PERFORM cloudjar.dax_fail(${quoted(outOfRange('SUBSTITUTE'))}, ''); END IF;
  IF old = '' THEN RETURN value; END IF;
  LOOP
    place := strpos(substr(value, kept + 1), old);
    IF place = 0 THEN RETURN value; END IF;
    instance := instance - 1;
    EXIT WHEN instance = 0;
    kept := kept + place - 1 + char_length(old);
  END LOOP;
  IF cloudjar.dax_len(value) + cloudjar.dax_len(by) - cloudjar.dax_len(old) > ${LONGEST_RESULT} THEN PERFORM cloudjar.dax_fail(${quoted(TOO_LONG)}, ''); END IF;
  RETURN left(value, kept + place - 1) || by || substr(value, kept + place + char_length(old));
END`,
    ),
    procedure(
      'rept',
      { parameters: 'value text, count bigint', ...texts },
      `BEGIN
  IF count < 0 THEN PERFORM cloudjar.dax_fail(${quoted(outOfRange('REPT'))}, ''); END IF;
  IF count = 0 THEN RETURN NULL; END IF;
  IF value = '' THEN RETURN value; END IF;
  IF cloudjar.dax_len(value) * count > ${LONGEST_REPETITION} THEN PERFORM cloudjar.dax_fail(${quoted(TOO_LONG)}, ''); END IF;
  RETURN repeat(value, count::int);
END`,
    ),
    inlined('upper', { parameters: 'value text', returns: 'text' }, 'cloudjar.fn_toupper(value)'),
    inlined('lower', { parameters: 'value text', returns: 'text' }, 'cloudjar.fn_tolower(value)'),
    inlined('trim', { parameters: 'value text', returns: 'text' }, `btrim(regexp_replace(value, ' +', ' ', 'g'), ' ')`),
    procedure(
      'unichar',
      { parameters: 'code bigint', ...texts },
      `BEGIN
  IF code < 1 OR code > 1114111 OR code BETWEEN 55296 AND 57343 THEN PERFORM cloudjar.dax_fail(${quoted(outOfRange('UNICHAR'))}, ''); END IF;
  RETURN chr(code::int);
END`,
    ),
    // All matches of a pattern, in order.
    procedure(
      'tokens',
      { parameters: 'value text, pattern text', returns: 'text[]' },
      `BEGIN RETURN ARRAY(SELECT found.match[1] FROM regexp_matches(value, pattern, 'g') WITH ORDINALITY AS found(match, n) ORDER BY n); END`,
    ),
    inlined(
      'unicode',
      { parameters: 'value text', returns: 'bigint', fails: true },
      `CASE WHEN value = '' THEN ${failing(outOfRange('UNICODE'), 'value', 'bigint')} ELSE ascii(value)::bigint END`,
    ),
  ],
};
