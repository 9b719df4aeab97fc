import { createHash } from 'node:crypto';
import { BOUNDS } from '../functions.ts';
import { FOLDED } from '../typed/fold.ts';
import { DECIMAL_UNITS } from '../typed/plain-text.ts';
import { SERIAL_OF_1970 } from '../typed/serial.ts';
import type { Connection } from './connection.ts';

const { DAY_MS, FIRST_INSTANT, LAST_INSTANT, LONGEST } = BOUNDS;

/** The characters that `String.prototype.trim` removes. */
const WHITESPACE = [
  '\\0009\\000a\\000b\\000c\\000d\\0020\\00a0\\1680',
  '\\2000\\2001\\2002\\2003\\2004\\2005\\2006\\2007\\2008\\2009\\200a',
  '\\2028\\2029\\202f\\205f\\3000\\feff',
].join('');

/** The first one knows the cases of all letters; servers without ICU have one of the others, which know most. */
const CASE_COLLATIONS = ['und-x-icu', 'pg_c_utf8', 'C.utf8', 'C.UTF-8'];

const plain = (name: string, parameters: string, result: string, expression: string): string =>
  `CREATE OR REPLACE FUNCTION cloudjar.fn_${name}(${parameters}) RETURNS ${result}
   LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $fn$ SELECT ${expression} $fn$;`;

/**
 * Arithmetic on doubles raises errors where JavaScript returns an infinity or a zero. `rescue` is the result in that case: NULL, or zero on
 * underflow. Not for parallel plans: catching an error requires a subtransaction, which they do not allow.
 */
const guarded = (name: string, expression: string, rescue = 'NULL'): string =>
  `CREATE OR REPLACE FUNCTION cloudjar.fn_${name}(a float8, b float8) RETURNS float8
   LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL UNSAFE AS $fn$
   BEGIN RETURN ${expression};
   EXCEPTION WHEN division_by_zero THEN RETURN NULL; WHEN numeric_value_out_of_range THEN RETURN ${rescue}; END $fn$;`;

const typed = (name: string, parameter: string, expression: string): string =>
  `CREATE OR REPLACE FUNCTION cloudjar.${name}(${parameter}) RETURNS text
   LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $fn$ SELECT ${expression} $fn$;`;
const instantOf = `floor(($1 - ${SERIAL_OF_1970}) * ${DAY_MS} + 0.5)`;

const clamped = (number: string): string => `least(greatest(trunc(${number}), 0), ${LONGEST})::int`;

/** A part of an instant; NULL outside of the years with four digits. */
const ofInstant = (name: string, result: string, expression: string): string =>
  plain(
    name,
    'float8',
    result,
    `CASE WHEN floor($1) BETWEEN ${FIRST_INSTANT} AND ${LAST_INSTANT} THEN ${expression} END`,
  );
const dateOf = `(date '1970-01-01' + floor(floor($1) / ${DAY_MS})::int)`;
/** Milliseconds since midnight. Integers of this size are exact, so the steps give the same results as JavaScript. */
const inDay = `(floor($1) - floor(floor($1) / ${DAY_MS}) * ${DAY_MS})`;
const ofDay = (unit: number, modulo: number): string =>
  `floor(${inDay} / ${unit}) - floor(floor(${inDay} / ${unit}) / ${modulo}) * ${modulo}`;

const ofDateText = (name: string, from: number, length: number): string =>
  plain(
    name,
    'text',
    'float8',
    `CASE WHEN $1 ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' THEN substr($1, ${from}, ${length})::float8 END`,
  );
const ofTimeText = (name: string, from: number, length: number, divisor = 1): string =>
  plain(
    name,
    'text',
    'float8',
    `CASE WHEN $1 ~ '^[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}$' THEN substr($1, ${from}, ${length})::float8 / ${divisor} END`,
  );

const SOURCES = [...FOLDED.keys()].join('');
const FOLDS = [...FOLDED.values()].join('');
const literal = (text: string): string => `U&'${text.replace(/[^ -~]|[\\']/g, escaped)}'`;
const escaped = (unit: string): string => `\\${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Functions that statements over typed tables call besides the libraries; equivalents of `foldText` and `plainText`. */
const typedDefinitions = (collation: string): string[] => [
  typed(
    'fold',
    'text',
    `rtrim(CASE WHEN octet_length($1) = char_length($1) AND strpos($1, ${literal('\u0001')}) = 0 THEN lower($1 COLLATE "C")
       ELSE translate(lower($1 COLLATE "${collation}") COLLATE "C", ${literal(SOURCES)}, ${literal(FOLDS)}) END, ' ')`,
  ),
  typed('plain_int64', 'bigint', '$1::text'),
  typed('plain_decimal', 'bigint', `trim_scale($1::numeric / ${DECIMAL_UNITS})::text`),
  typed('plain_boolean', 'bigint', `CASE WHEN $1 = 0 THEN 'False' ELSE 'True' END`),
  // Formats a double as JavaScript does, with an exponent for the same magnitudes.
  typed(
    'plain_double',
    'float8',
    `CASE WHEN $1 = 0 OR abs($1) BETWEEN 1e-6 AND 999999999999999868928 THEN $1::text::numeric::text
       ELSE regexp_replace($1::text, 'e([+-])0+', 'e\\1') END`,
  ),
  typed(
    'plain_datetime',
    'float8',
    `cloudjar.fn_date(${instantOf}) || 'T' || regexp_replace(cloudjar.fn_time(${instantOf}), '[.]000$', '')`,
  ),
];

const definitions = (collation: string): string[] => [
  plain('tolower', 'text', 'text', `lower($1 COLLATE "${collation}") COLLATE "C"`),
  plain('toupper', 'text', 'text', `upper($1 COLLATE "${collation}") COLLATE "C"`),
  plain('trim', 'text', 'text', `btrim($1, U&'${WHITESPACE}')`),
  plain('concat', 'text, text', 'text', '$1 || $2'),
  plain('substring', 'text, float8', 'text', `substr($1, ${clamped('$2')} + 1)`),
  plain('substring', 'text, float8, float8', 'text', `substr($1, ${clamped('$2')} + 1, ${clamped('$3')})`),
  plain('length', 'text', 'float8', 'char_length($1)::float8'),
  plain('indexof', 'text, text', 'float8', `CASE WHEN $2 = '' THEN 0 ELSE strpos($1, $2) - 1 END::float8`),
  plain('startswith', 'text, text', 'boolean', 'starts_with($1, $2)'),
  plain('endswith', 'text, text', 'boolean', 'right($1, char_length($2)) = $2'),
  plain('contains', 'text, text', 'boolean', `$2 = '' OR strpos($1, $2) > 0`),
  plain('like', 'text, text', 'boolean', `$1 LIKE $2 ESCAPE ''`),
  guarded('add', 'a + b'),
  guarded('sub', 'a - b'),
  guarded('mul', 'a * b', 'CASE WHEN ln(abs(a)) + ln(abs(b)) < 0 THEN 0 END'),
  guarded('divby', 'a / b', 'CASE WHEN ln(abs(a)) - ln(abs(b)) < 0 THEN 0 END'),
  guarded('div', 'trunc(a / b)', 'CASE WHEN ln(abs(a)) - ln(abs(b)) < 0 THEN 0 END'),
  guarded('mod', 'a - b * trunc(a / b)', 'CASE WHEN ln(abs(a)) - ln(abs(b)) < 0 THEN a END'),
  plain('negate', 'float8', 'float8', '-$1'),
  plain('floor', 'float8', 'float8', 'floor($1)'),
  plain('ceiling', 'float8', 'float8', 'ceil($1)'),
  plain(
    'round',
    'float8',
    'float8',
    'CASE WHEN abs($1 - trunc($1)) >= 0.5 THEN trunc($1) + sign($1) ELSE trunc($1) END',
  ),
  ofInstant('year', 'float8', `extract(year FROM ${dateOf})::float8`),
  ofInstant('month', 'float8', `extract(month FROM ${dateOf})::float8`),
  ofInstant('day', 'float8', `extract(day FROM ${dateOf})::float8`),
  ofInstant('hour', 'float8', ofDay(3_600_000, 24)),
  ofInstant('minute', 'float8', ofDay(60_000, 60)),
  ofInstant('second', 'float8', ofDay(1000, 60)),
  ofInstant('fractionalseconds', 'float8', `(${ofDay(1, 1000)}) / 1000`),
  ofInstant('date', 'text', `to_char(${dateOf}, 'YYYY-MM-DD')`),
  ofInstant('time', 'text', `to_char(time '00:00' + ${inDay} * interval '1 millisecond', 'HH24:MI:SS.MS')`),
  ofDateText('year', 1, 4),
  ofDateText('month', 6, 2),
  ofDateText('day', 9, 2),
  ofTimeText('hour', 1, 2),
  ofTimeText('minute', 4, 2),
  ofTimeText('second', 7, 2),
  ofTimeText('fractionalseconds', 10, 3, 1000),
  ...typedDefinitions(collation),
];

/** Changes with the definitions; the functions are then created again. */
export const FUNCTIONS_SIGNATURE = createHash('sha256').update(definitions('').join()).digest('hex').slice(0, 16);

/** Creates the functions of `../functions.ts` with the collation that this server supports. */
export async function createFunctions(on: Connection): Promise<void> {
  const { rows } = await on.query(
    `SELECT collname FROM pg_collation WHERE collname = ANY($1) AND collencoding IN (-1, pg_char_to_encoding(getdatabaseencoding()))`,
    [CASE_COLLATIONS],
  );
  const present = new Set(rows.map(([name]) => String(name)));
  const collation = CASE_COLLATIONS.find((name) => present.has(name)) ?? 'default';
  await on.query(definitions(collation).join('\n'));
}
