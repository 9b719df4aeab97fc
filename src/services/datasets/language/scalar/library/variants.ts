import { type Cell, foldText } from '../../../../../kernel/store/index.ts';
import { dateText } from './date-text.ts';
import { decimalOf } from './decimal.ts';
import { fail, TOO_LARGE_DECIMAL } from './failures.ts';
import { decimalOfFixed, doubleText, fixedOf, plainText, wholeOf, wholeOfDouble } from './number-text.ts';
import { inlined, type LibraryPart, number, procedure, strict, text } from './part.ts';
import { booleanOfText, doubleOfText, fixedOfText, wholeOfText } from './text-conversions.ts';

/** A variant is a text that starts with the letter of its type: `i12`, `r0.5`, `c125000` (ten-thousandths), `d45296.5`, `b1`, `sText`. */

const rest = (value: string): string => value.slice(1);

function doubleOfVariant(value: string, type: 'Number' | 'Date'): number {
  if (value[0] === 's') return doubleOfText(rest(value), type);
  return value[0] === 'c' ? Number(rest(value)) / 10_000 : Number(rest(value));
}

function wholeOfVariant(value: string): bigint {
  switch (value[0]) {
    case 's':
      return wholeOfText(rest(value));
    case 'c':
      return wholeOf(decimalOfFixed(BigInt(rest(value))));
    case 'i':
    case 'b':
      return BigInt(rest(value));
    default:
      return wholeOfDouble(Number(rest(value)));
  }
}

function fixedOfVariant(value: string): bigint {
  switch (value[0]) {
    case 's':
      return fixedOfText(rest(value));
    case 'c':
      return BigInt(rest(value));
    case 'i':
    case 'b':
      return fixedOf({ units: BigInt(rest(value)), scale: 0 });
    default: {
      const double = Number(rest(value));
      return Number.isFinite(double) ? fixedOf(decimalOf(double)) : fail(TOO_LARGE_DECIMAL);
    }
  }
}

export function textOfVariant(value: string): string {
  switch (value[0]) {
    case 'c':
      return plainText(decimalOfFixed(BigInt(rest(value))));
    case 'r':
      return doubleText(Number(rest(value)));
    case 'd':
      return dateText(Number(rest(value)));
    case 'b':
      return value === 'b1' ? 'True' : 'False';
    default:
      return rest(value);
  }
}

function booleanOfVariant(value: string): bigint {
  return value[0] === 's' ? booleanOfText(rest(value)) : BigInt(Number(rest(value)) !== 0);
}

/** Numbers and dates sort before texts, texts before booleans. */
const RANKS: Readonly<Record<string, number>> = { i: 0, r: 0, c: 0, d: 0, s: 1, b: 2 };
const ZEROS = ['i0', 's', 'b0'] as const;

/**
 * -1, 0 or 1. BLANK counts as zero, as empty text or as FALSE, depending on the other value. Texts are compared folded, integers and fixed
 * decimals exactly, other numbers as doubles.
 */
function compare(left: Cell, right: Cell): bigint {
  if (left === null && right === null) return 0n;
  const a = typeof left === 'string' ? left : zeroBeside(right);
  const b = typeof right === 'string' ? right : zeroBeside(left);
  const rank = RANKS[a[0]!]!;
  const otherRank = RANKS[b[0]!]!;
  if (rank !== otherRank) return rank < otherRank ? -1n : 1n;
  if (rank === 1) return order(Buffer.compare(folded(a), folded(b)), 0);
  if (isExact(a) && isExact(b)) return order(tenThousandths(a), tenThousandths(b));
  return order(doubleOfVariant(a, 'Number'), doubleOfVariant(b, 'Number'));
}

/** UTF-8 bytes, the order in which databases sort texts. */
const folded = (value: string): Buffer => Buffer.from(foldText(rest(value)));
const zeroBeside = (other: Cell): string => ZEROS[RANKS[String(other)[0]!]!]!;
const isExact = (value: string): boolean => value[0] !== 'r' && value[0] !== 'd';
const tenThousandths = (value: string): bigint => BigInt(rest(value)) * (value[0] === 'c' ? 1n : 10_000n);
const order = <T extends number | bigint>(a: T, b: T): bigint => (a < b ? -1n : a > b ? 1n : 0n);

/** Equal for equal values, whatever their types; used to group by variants. */
function keyOf(value: string): string {
  if (value[0] === 's') return `s${foldText(rest(value))}`;
  if (value[0] === 'b') return value;
  if (isExact(value)) return `n${plainText({ units: tenThousandths(value), scale: 4 })}`;
  const double = Number(rest(value));
  return Number.isFinite(double) ? `n${plainText(decimalOf(double))}` : `n${double}`;
}

/** A text whose byte order is the order of the values: the rank, followed by a number as the bits of a double, or by a folded text. */
function orderOf(value: string): string {
  const rank = RANKS[value[0]!]!;
  if (rank === 1) return `1${foldText(rest(value))}`;
  const bits = Buffer.alloc(8);
  bits.writeDoubleBE(doubleOfVariant(value, 'Number') + 0);
  const hex = bits.toString('hex');
  return bits[0]! < 0x80 ? `${rank}1${hex}` : `${rank}0${hex.replace(/./g, inverted)}`;
}

const inverted = (digit: string): string => (15 - Number.parseInt(digit, 16)).toString(16);

/** PL/pgSQL with a variant in `value`, its type letter in `kind` and the rest in `part`. */
const ofVariant = (name: string, returns: 'text' | 'bigint' | 'float8', cases: string): string =>
  procedure(
    `variant_${name}`,
    { parameters: 'value text', returns, fails: true },
    `DECLARE
  kind text := left(value, 1);
  part text := substr(value, 2);
BEGIN RETURN CASE kind ${cases} END; END`,
  );

export const VARIANTS: LibraryPart = {
  functions: {
    dax_variant_of_double: strict.two(text, number, (kind, value) => `${kind}${value === 0 ? 0 : value}`),
    dax_variant_double: strict.one(text, (value) => doubleOfVariant(value, 'Number')),
    dax_variant_date: strict.one(text, (value) => doubleOfVariant(value, 'Date')),
    dax_variant_int: strict.one(text, wholeOfVariant),
    dax_variant_decimal: strict.one(text, fixedOfVariant),
    dax_variant_boolean: strict.one(text, booleanOfVariant),
    dax_variant_text: strict.one(text, textOfVariant),
    dax_compare: (a: Cell, b: Cell) => compare(a, b),
    dax_variant_key: strict.one(text, keyOf),
    dax_variant_order: strict.one(text, orderOf),
  },
  postgres: [
    inlined(
      'variant_of_double',
      { parameters: 'kind text, value float8', returns: 'text' },
      `kind || CASE WHEN value = 0 THEN '0' ELSE value::text END`,
    ),
    ...(['Number', 'Date'] as const).map((type) =>
      ofVariant(
        type === 'Date' ? 'date' : 'double',
        'float8',
        `WHEN 's' THEN cloudjar.dax_${type.toLowerCase()}(part) WHEN 'c' THEN part::float8 / 10000 ELSE part::float8`,
      ),
    ),
    ofVariant(
      'int',
      'bigint',
      `WHEN 's' THEN cloudjar.dax_text_int(part) WHEN 'c' THEN cloudjar.dax_decimal_int(part::bigint) WHEN 'i' THEN part::bigint WHEN 'b' THEN part::bigint
    ELSE cloudjar.dax_double_int(part::float8)`,
    ),
    ofVariant(
      'decimal',
      'bigint',
      `WHEN 's' THEN cloudjar.dax_text_decimal(part) WHEN 'c' THEN part::bigint WHEN 'i' THEN cloudjar.dax_int_decimal(part::bigint) WHEN 'b' THEN part::bigint * 10000
    ELSE cloudjar.dax_double_decimal(part::float8)`,
    ),
    ofVariant('boolean', 'bigint', `WHEN 's' THEN cloudjar.dax_boolean(part) ELSE (part::float8 <> 0)::int`),
    ofVariant(
      'text',
      'text',
      `WHEN 'c' THEN cloudjar.dax_decimal_text(part::bigint) WHEN 'r' THEN cloudjar.dax_double_text(part::float8) WHEN 'd' THEN cloudjar.dax_date_text(part::float8)
    WHEN 'b' THEN CASE part WHEN '1' THEN 'True' ELSE 'False' END ELSE part`,
    ),
    inlined(
      'rank',
      { parameters: 'value text', returns: 'int' },
      `CASE left(value, 1) WHEN 's' THEN 1 WHEN 'b' THEN 2 ELSE CASE WHEN value IS NOT NULL THEN 0 END END`,
    ),
    inlined(
      'exact',
      { parameters: 'value text', returns: 'numeric' },
      `substr(value, 2)::numeric * CASE left(value, 1) WHEN 'c' THEN 1 ELSE 10000 END`,
    ),
    `CREATE OR REPLACE FUNCTION cloudjar.dax_compare(a text, b text) RETURNS bigint LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $fn$
DECLARE
  rank int := cloudjar.dax_rank(a);
  other int := cloudjar.dax_rank(b);
  x float8;
  y float8;
BEGIN
  IF a IS NULL AND b IS NULL THEN RETURN 0; END IF;
  a := coalesce(a, (ARRAY['i0', 's', 'b0'])[other + 1]);
  b := coalesce(b, (ARRAY['i0', 's', 'b0'])[rank + 1]);
  IF rank <> other THEN RETURN sign(rank - other); END IF;
  IF left(a, 1) = 's' THEN
    a := cloudjar.fold(substr(a, 2));
    b := cloudjar.fold(substr(b, 2));
    RETURN CASE WHEN a COLLATE "C" < b THEN -1 WHEN a COLLATE "C" > b THEN 1 ELSE 0 END;
  END IF;
  IF left(a, 1) NOT IN ('r', 'd') AND left(b, 1) NOT IN ('r', 'd') THEN RETURN sign(cloudjar.dax_exact(a) - cloudjar.dax_exact(b)); END IF;
  x := CASE left(a, 1) WHEN 'c' THEN substr(a, 2)::float8 / 10000 ELSE substr(a, 2)::float8 END;
  y := CASE left(b, 1) WHEN 'c' THEN substr(b, 2)::float8 / 10000 ELSE substr(b, 2)::float8 END;
  RETURN CASE WHEN x < y THEN -1 WHEN x > y THEN 1 ELSE 0 END;
END
$fn$;`,
    procedure(
      'variant_order',
      { parameters: 'value text', returns: 'text' },
      `DECLARE
  rank int := cloudjar.dax_rank(value);
  number float8;
  bits text;
BEGIN
  IF rank = 1 THEN RETURN '1' || cloudjar.fold(substr(value, 2)); END IF;
  number := substr(value, 2)::float8 / CASE left(value, 1) WHEN 'c' THEN 10000 ELSE 1 END;
  bits := encode(float8send(CASE WHEN number = 0 THEN 0 ELSE number END), 'hex');
  RETURN CASE WHEN number < 0 THEN rank || '0' || translate(bits, '0123456789abcdef', 'fedcba9876543210') ELSE rank || '1' || bits END;
END`,
    ),
    procedure(
      'variant_key',
      { parameters: 'value text', returns: 'text' },
      `BEGIN
  RETURN CASE left(value, 1) WHEN 's' THEN 's' || cloudjar.fold(substr(value, 2)) WHEN 'b' THEN value ELSE CASE WHEN left(value, 1) NOT IN ('r', 'd') THEN 'n' || trim_scale(cloudjar.dax_exact(value) * 0.0001)
    WHEN value LIKE '%Infinity' THEN 'n' || substr(value, 2) ELSE 'n' || trim_scale(substr(value, 2)::float8::numeric) END END;
END`,
    ),
  ],
};
