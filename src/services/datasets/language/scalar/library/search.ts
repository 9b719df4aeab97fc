import { fail, NOT_FOUND, outOfRange } from './failures.ts';
import { inlined, type LibraryPart, number, procedure, quoted, strict, text } from './part.ts';

/** FIND compares exactly. SEARCH ignores case and supports `?` (any character), `*` (any characters) and `~` as an escape. */

function find(wanted: string, within: string, start: number): number | undefined {
  if (start < 1) fail(outOfRange('FIND'));
  const at = start - 1 > within.length ? -1 : within.indexOf(wanted, start - 1);
  return at < 0 ? undefined : at + 1;
}

/** Lower case that keeps the number of characters: İ would become two characters, and a final sigma differs from other sigmas. */
const caseless = (value: string): string => value.replaceAll('İ', 'I').toLowerCase().replaceAll('ς', 'σ');

/** In UTF-16 units. The cost of a search grows with the product of both lengths. */
const LONGEST_PATTERN = 1000;

/** Consecutive characters; undefined matches any character. */
type Segment = readonly (string | undefined)[];

const TOKENS = /~[?*~]|[\s\S]/gu;

/** The parts of a pattern between its stars. */
function segmentsOf(pattern: string): readonly Segment[] {
  const segments: (string | undefined)[][] = [[]];
  for (const [token] of pattern.matchAll(TOKENS)) {
    if (token === '*') segments.push([]);
    else
      segments.at(-1)!.push(token === '?' ? undefined : token.length > 1 && token.startsWith('~') ? token[1] : token);
  }
  return segments;
}

/**
 * The leftmost match. Takes the leftmost occurrence of the first segment and then the next occurrence of each further segment: if these are
 * not found, no later match exists. So no backtracking is needed, however many stars the pattern has.
 */
function search(pattern: string, within: string, start: number): number | undefined {
  if (start < 1 || pattern.length > LONGEST_PATTERN) fail(outOfRange('SEARCH'));
  if (start - 1 > within.length) return undefined;
  const folded = caseless(within);
  let from = wholeCharacter(folded, start - 1);
  let first: number | undefined;
  for (const segment of segmentsOf(caseless(pattern))) {
    const match = indexOfSegment(folded, segment, from);
    if (!match) return undefined;
    first ??= match.at;
    from = match.end;
  }
  return first! + 1;
}

/** Moves an offset inside a surrogate pair to the next character. */
const wholeCharacter = (value: string, at: number): number => {
  const inside = at > 0 && at < value.length && value.codePointAt(at - 1)! > 0xffff;
  return inside ? at + 1 : at;
};

function indexOfSegment(value: string, segment: Segment, from: number): { at: number; end: number } | undefined {
  if (!segment.includes(undefined)) {
    const wanted = segment.join('');
    const at = value.indexOf(wanted, from);
    return at < 0 ? undefined : { at, end: at + wanted.length };
  }
  for (let at = from; at < value.length; at += value.codePointAt(at)! > 0xffff ? 2 : 1) {
    const end = endOfSegment(value, segment, at);
    if (end !== undefined) return { at, end };
  }
  return undefined;
}

function endOfSegment(value: string, segment: Segment, from: number): number | undefined {
  let at = from;
  for (const character of segment) {
    if (at >= value.length) return undefined;
    if (character !== undefined && !value.startsWith(character, at)) return undefined;
    at += character?.length ?? (value.codePointAt(at)! > 0xffff ? 2 : 1);
  }
  return at;
}

const place = (found: number | undefined): bigint | null => (found === undefined ? null : BigInt(found));
const needed = (found: number | undefined): bigint => BigInt(found ?? fail(NOT_FOUND));

/** Special characters of PostgreSQL regular expressions. */
const SPECIAL = String.raw`([][\\.*+?^$(){}|])`;

export const SEARCH: LibraryPart = {
  functions: {
    dax_find: strict.three(text, text, number, (wanted, within, start) => needed(find(wanted, within, start))),
    dax_find_or_blank: strict.three(text, text, number, (wanted, within, start) => place(find(wanted, within, start))),
    dax_search: strict.three(text, text, number, (wanted, within, start) => needed(search(wanted, within, start))),
    dax_search_or_blank: strict.three(text, text, number, (wanted, within, start) =>
      place(search(wanted, within, start)),
    ),
    dax_contains: strict.two(text, text, (within, wanted) => BigInt(search(wanted, within, 1) !== undefined)),
    dax_contains_exact: strict.two(text, text, (within, wanted) => BigInt(within.includes(wanted))),
  },
  postgres: [
    // The number of characters that begin before this UTF-16 unit.
    procedure(
      'characters_before',
      { parameters: 'value text, unit bigint', returns: 'int' },
      `BEGIN
  IF NOT cloudjar.dax_astral(value) THEN RETURN unit; END IF;
  RETURN (SELECT count(*) FROM (SELECT sum(width) OVER (ORDER BY n) - width AS start
    FROM (SELECT n, CASE WHEN octet_length(c) = 4 THEN 2 ELSE 1 END AS width FROM unnest(string_to_array(value, NULL)) WITH ORDINALITY AS chars(c, n)) AS wide) AS placed
    WHERE start < unit);
END`,
    ),
    procedure(
      'find_or_blank',
      { parameters: 'wanted text, within_text text, start bigint', returns: 'bigint', fails: true },
      `DECLARE
  before int;
  found int;
BEGIN
  IF start < 1 THEN PERFORM cloudjar.dax_fail(${quoted(outOfRange('FIND'))}, ''); END IF;
  IF start - 1 > cloudjar.dax_len(within_text) THEN RETURN NULL; END IF;
  IF wanted = '' THEN RETURN start; END IF;
  before := cloudjar.dax_characters_before(within_text, start - 1);
  found := strpos(substr(within_text, before + 1), wanted);
  RETURN CASE WHEN found > 0 THEN cloudjar.dax_len(left(within_text, before + found - 1)) + 1 END;
END`,
    ),
    procedure(
      'caseless',
      { parameters: 'value text', returns: 'text' },
      `BEGIN RETURN replace(cloudjar.fn_tolower(replace(value, 'İ', 'I')), 'ς', 'σ'); END`,
    ),
    // A segment is searched as plain text or, if it contains a question mark, as a regular expression. The shortest match of an expression
    // without stars is the leftmost.
    procedure(
      'search_or_blank',
      { parameters: 'wanted text, within_text text, start bigint', returns: 'bigint', fails: true },
      `DECLARE
  folded text;
  before int;
  first int;
  found int;
  token text;
  literal text := '';
  expression text := '';
  wild boolean := false;
BEGIN
  IF start < 1 OR cloudjar.dax_len(wanted) > ${LONGEST_PATTERN} THEN PERFORM cloudjar.dax_fail(${quoted(outOfRange('SEARCH'))}, ''); END IF;
  IF start - 1 > cloudjar.dax_len(within_text) THEN RETURN NULL; END IF;
  folded := cloudjar.dax_caseless(within_text);
  before := cloudjar.dax_characters_before(folded, start - 1);
  -- The end of the pattern ends a segment, as a star does.
  FOREACH token IN ARRAY cloudjar.dax_tokens(cloudjar.dax_caseless(wanted), '~[?*~]|.') || ARRAY['*'] LOOP
    IF token = '*' THEN
      found := CASE WHEN literal = '' AND NOT wild THEN 1 WHEN NOT wild THEN strpos(substr(folded, before + 1), literal)
        ELSE coalesce(char_length((regexp_match(substr(folded, before + 1), '^(.*?)' || expression))[1]) + 1, 0) END;
      IF found = 0 THEN RETURN NULL; END IF;
      first := coalesce(first, before + found - 1);
      before := before + found - 1 + char_length(literal);
      literal := '';
      expression := '';
      wild := false;
    ELSE
      IF token = '?' THEN
        wild := true;
        expression := expression || '.';
      ELSE
        token := right(token, 1);
        expression := expression || regexp_replace(token, '${SPECIAL}', '\\\\\\1');
      END IF;
      literal := literal || right(token, 1);
    END IF;
  END LOOP;
  RETURN CASE WHEN first IS NOT NULL THEN cloudjar.dax_len(left(folded, first)) + 1 END;
END`,
    ),
    ...['find', 'search'].map((name) =>
      inlined(
        name,
        { parameters: 'wanted text, within_text text, start bigint', returns: 'bigint', fails: true },
        `coalesce(cloudjar.dax_${name}_or_blank(wanted, within_text, start), CASE WHEN wanted IS NOT NULL AND within_text IS NOT NULL THEN cloudjar.dax_fail(${quoted(NOT_FOUND)}, within_text)::bigint END)`,
      ),
    ),
    inlined(
      'contains',
      { parameters: 'within_text text, wanted text', returns: 'bigint', fails: true },
      '(cloudjar.dax_search_or_blank(wanted, within_text, 1) IS NOT NULL)::int::bigint',
    ),
    inlined(
      'contains_exact',
      { parameters: 'within_text text, wanted text', returns: 'bigint' },
      `(wanted = '' OR strpos(within_text, wanted) > 0)::int::bigint`,
    ),
  ],
};
