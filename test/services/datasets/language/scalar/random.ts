import fc from 'fast-check';
import type { ScalarType } from '../../../../../src/services/datasets/language/scalar/types.ts';
import type { Argument, Value } from './evaluator.ts';

/** Random values of the language; values with special rules are more frequent. */

const LARGEST = 2n ** 63n - 2n;
/** Letters with unusual cases, surrogate pairs, blanks, and special characters of patterns and formats. */
const CHARACTERS = [
  ...'aAbB zZ09?*~.,;:-+()[]{}|^$%#"\\/\'',
  ...'ßẞİıΣσςéÉñøØœŒżЖжあアｱＡａ　語',
  ...'😀𝒜🇨',
  '\t',
  '\n',
  '\u00a0',
  '\u0301',
  '\u0001',
  '\ufffd',
];

const character = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...CHARACTERS) },
  // Excludes the letter that has an upper case only since Unicode 16, which servers may not know.
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 0x20, max: 0x24f })
      .filter((code) => code !== 0x19b)
      .map((code) => String.fromCodePoint(code)),
  },
  { weight: 1, arbitrary: fc.integer({ min: 0x370, max: 0x52f }).map((code) => String.fromCodePoint(code)) },
  { weight: 1, arbitrary: fc.integer({ min: 0x10000, max: 0x103ff }).map((code) => String.fromCodePoint(code)) },
);

export const plainTexts = fc.string({ unit: character, maxLength: 12 });

export const ints = fc.oneof(
  fc.bigInt({ min: -20n, max: 20n }),
  fc.bigInt({ min: -100_000n, max: 100_000n }),
  fc.bigInt({ min: -LARGEST, max: LARGEST }),
);

export const doubles = fc.oneof(
  fc.double({ noNaN: true }),
  fc.double({ min: -1000, max: 1000, noNaN: true }),
  // Few digits, including halves.
  fc.tuple(fc.integer({ min: -100_000, max: 100_000 }), fc.integer({ min: 0, max: 4 })).map(([n, d]) => n / 10 ** d),
  fc
    .tuple(fc.integer({ min: -999, max: 999 }), fc.integer({ min: -320, max: 305 }))
    .map(([n, d]) => Number(`${n}e${d}`)),
  // A half at the sixteenth digit.
  fc.integer({ min: 1, max: 2 ** 20 }).map((n) => 1_000_000_000_000 + n / 8),
);

export const fixed = fc
  .oneof(fc.bigInt({ min: -1_000_000n, max: 1_000_000n }), fc.bigInt({ min: -LARGEST, max: LARGEST }))
  .map((units) => {
    const size = String(units < 0n ? -units : units).padStart(5, '0');
    return { decimal: `${units < 0n ? '-' : ''}${size.slice(0, -4)}.${size.slice(-4)}` };
  });

const DAYS = { min: -657_434, max: 2_958_465 };

export const dates = fc.oneof(
  fc.integer(DAYS).map((date) => ({ date })),
  fc
    .tuple(fc.integer(DAYS), fc.integer({ min: 0, max: 25_919_999 }))
    .map(([day, step]) => ({ date: day + step / 25_920_000 })),
  fc.double({ min: DAYS.min, max: DAYS.max, noNaN: true }).map((date) => ({ date })),
  fc.double({ noNaN: true }).map((date) => ({ date })),
  // The ends of months and years.
  fc
    .tuple(fc.integer({ min: 100, max: 9999 }), fc.integer({ min: 0, max: 11 }), fc.integer({ min: -1, max: 1 }))
    .map(([year, month, more]) => {
      const first = new Date(Date.UTC(2000, month, 1));
      first.setUTCFullYear(year);
      return { date: (first.getTime() - Date.UTC(1899, 11, 30)) / 86_400_000 + more };
    }),
);

const number = (most: number) => fc.integer({ min: 0, max: most });
const padded = (most: number) =>
  fc.oneof(
    number(most).map(String),
    number(most).map((n) => String(n).padStart(2, '0')),
  );
const timeTexts = fc
  .tuple(padded(26), padded(61), padded(61), fc.constantFrom('', ' AM', 'pm', ' Pm', 'Z'), fc.constantFrom(0, 1, 2, 3))
  .map(
    ([h, m, s, half, form]) =>
      [`${h}:${m}:${s}${half}`, `${h}:${m}${half}`, `${h}${half}`, `${h}:${m}:${s}.${m}${half}`][form]!,
  );
const dateTexts = fc
  .tuple(
    fc.oneof(padded(99), number(10_000).map(String)),
    padded(13),
    padded(32),
    fc.constantFrom(...'-/ ,'),
    fc.constantFrom(0, 1, 2, 3),
  )
  .map(([y, m, d, s, form]) => {
    const name = ['Jan', 'february', 'Sept', 'Foo', 'DECEMBER', 'mar.'][Number(m) % 6]!;
    return [`${y}${s}${m}${s}${d}`, `${m}${s}${d}${s}${y}`, `${name} ${d}, ${y}`, `${d}${s}${name}${s}${y}`][form]!;
  });
const numberTexts = fc.oneof(
  doubles.map(String),
  fixed.map(({ decimal }) => decimal),
  fc.string({ unit: fc.constantFrom(...'0123456789.,-+eE$() '), maxLength: 12 }),
);

/** Texts that are often numbers, dates or times. */
export const readableTexts = fc.oneof(
  numberTexts,
  dateTexts,
  timeTexts,
  fc.tuple(dateTexts, fc.constantFrom(' ', 'T', '  '), timeTexts).map((parts) => parts.join('')),
  fc.constantFrom('', ' ', 'true', 'FALSE', 'Infinity', 'x'),
);

export const texts = fc.oneof({ weight: 3, arbitrary: plainTexts }, { weight: 1, arbitrary: readableTexts });

/** As many digits as a round trip requires. */
export const variants = fc
  .oneof(
    ints.map((value) => `i${value}`),
    doubles.map((value) => `r${value === 0 ? 0 : value}`),
    fixed.map(({ decimal }) => `c${BigInt(decimal.replace('.', ''))}`),
    dates.map(({ date }) => `d${date === 0 ? 0 : date}`),
    fc.constantFrom('b0', 'b1'),
    texts.map((value) => `s${value}`),
  )
  .map((variant) => ({ variant }));

const TYPES: readonly ScalarType[] = ['int', 'decimal', 'double', 'boolean', 'date', 'text', 'variant'];
export const blanks: fc.Arbitrary<Value> = fc.oneof(
  fc.constant(null),
  fc.constantFrom(...TYPES).map((blank) => ({ blank })),
);

const mostly = <T extends Argument>(
  usual: fc.Arbitrary<T>,
  ...others: fc.Arbitrary<Argument>[]
): fc.Arbitrary<Argument> =>
  fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: fc.oneof(blanks, ...others) });

const any: fc.Arbitrary<Argument> = fc.oneof(ints, doubles, fixed, dates, fc.boolean(), texts, variants, blanks);

/** Arguments by the type of their parameter; values of other types are converted. */
export const arguments_ = {
  any,
  text: mostly(texts, any),
  number: mostly(fc.oneof(doubles, ints, fixed), any),
  /** For parameters for which large numbers would only be out of range. */
  small: mostly(
    fc.oneof(fc.bigInt({ min: -3n, max: 12n }), fc.double({ min: -3, max: 12, noNaN: true })),
    ints,
    fixed,
    fc.boolean(),
  ),
  date: mostly(dates, readableTexts, ints, doubles, variants),
  boolean: mostly(fc.boolean(), ints, doubles, variants),
};
