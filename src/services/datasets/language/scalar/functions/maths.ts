import { convert } from '../conversions.ts';
import { DOMAIN_FUNCTIONS, isBase } from '../library/domains.ts';
import { outOfRange } from '../library/failures.ts';
import { bound, failure, flag } from '../sql.ts';
import type { Engine, ScalarType } from '../types.ts';
import { type Arguments, MANY, type NumberType, numberType, row, type ScalarFunction } from './row.ts';

const TARGETS: Readonly<Record<string, ScalarType>> = {
  INTEGER: 'int',
  DOUBLE: 'double',
  STRING: 'text',
  BOOLEAN: 'boolean',
  CURRENCY: 'decimal',
  DATETIME: 'date',
};

const typeOfFirst = ([first]: readonly ScalarType[]): NumberType => numberType(first);

/**
 * `a ^ b` of two doubles. SQLite uses the C library's power function, as PostgreSQL does, and returns NULL for an undefined result without
 * further handling.
 */
export const power = (a: string, b: string, engine: Engine): string =>
  engine === 'postgres' ? `cloudjar.dax_power(${a}, ${b})` : `pow(${a}, coalesce(${b}, 0))`;

/** Functions of the C library. SQLite has them built in; on PostgreSQL, wrappers prevent its own errors. */
const domainRows = Object.entries(DOMAIN_FUNCTIONS).map(([name, { sqlite, domain }]) =>
  row(name, [1, 1], 'double', (args) => {
    if (args.engine === 'postgres') return args.call(name.toLowerCase(), args.double(0));
    if (!domain) return sqlite(args.double(0));
    return bound([args.double(0)], (x) => {
      const fails = failure(args.engine, outOfRange(name), x!, 'float8');
      return `CASE WHEN ${domain(x!)} THEN ${sqlite(x!)} WHEN ${x} IS NOT NULL THEN ${fails} END`;
    });
  }),
);

function logarithm(args: Arguments): string {
  const base = args.has(1) ? args.orZero(1, 'double') : '10.0';
  if (args.engine === 'postgres') return args.call('log', args.double(0), base);
  return bound([args.double(0), base], (x, b) => {
    const value = `CASE WHEN ${b} = 10 THEN log10(${x}) ELSE ln(${x}) / ln(${b}) END`;
    return `CASE WHEN ${x} > 0 AND ${isBase(b!)} THEN ${value} WHEN ${x} IS NOT NULL THEN ${failure(args.engine, outOfRange('LOG'), x!, 'float8')} END`;
  });
}

/** On integer overflow SQLite continues with a double. */
const inRange = (args: Arguments, sql: string): string => (args.engine === 'sqlite' ? args.call('in_range', sql) : sql);

/** Rounds to the next even or odd number, away from zero. Integers are not converted to doubles. */
const awayTo = (name: string, body: (value: string) => string): ScalarFunction =>
  row(name, [1, 1], 'int', (args) =>
    numberType(args.type(0)) === 'int'
      ? inRange(
          args,
          bound([args.as(0, 'int')], (value) => body(value!)),
        )
      : args.call(name.toLowerCase(), args.double(0)),
  );

const parity = (name: string, remainder: '=' | '<>'): ScalarFunction =>
  row(name, [1, 1], 'boolean', (args) => {
    const { engine } = args;
    if (numberType(args.type(0)) === 'int') return flag(engine, `${args.orZero(0, 'int')} % 2 ${remainder} 0`);
    const cut = `trunc(${args.orZero(0, 'double')})`;
    return bound([cut], (value) => flag(engine, `${value} ${remainder} 2 * trunc(${value} / 2)`));
  });

/** If the first number is BLANK, so is the result; further BLANKs count as zero. */
const ofMany = (name: string): ScalarFunction =>
  row(name, [1, MANY], 'int', (args) => {
    let sql = truncated(args, 0);
    if (args.count === 1) return args.call(name.toLowerCase(), sql, sql);
    for (let i = 1; i < args.count; i++) sql = args.call(name.toLowerCase(), sql, `coalesce(${truncated(args, i)}, 0)`);
    return sql;
  });

/** Truncates to an integer. */
export function truncated(args: Arguments, index: number): string {
  if (numberType(args.type(index)) === 'int') return args.as(index, 'int');
  const double: ScalarType = 'double';
  return convert({ sql: `trunc(${args.double(index)})`, type: double }, 'int', args.engine).sql;
}

const scaled = (name: string, factor: string): ScalarFunction =>
  row(name, [1, 1], 'double', (args) =>
    args.engine === 'postgres' ? args.call('multiply', args.double(0), factor) : `(${args.double(0)} * ${factor})`,
  );

export const MATHS_FUNCTIONS: readonly ScalarFunction[] = [
  row('ABS', [1, 1], typeOfFirst, (args) => `abs(${args.as(0, numberType(args.type(0)))})`),
  row('SIGN', [1, 1], 'int', (args) => {
    const sign = `sign(${args.as(0, numberType(args.type(0)))})`;
    return args.engine === 'postgres' ? `${sign}::bigint` : sign;
  }),
  row('POWER', [2, 2], 'double', (args) => power(args.double(0), args.double(1), args.engine)),
  row('EXP', [1, 1], 'double', (args) =>
    args.engine === 'postgres' ? args.call('exp', args.double(0)) : `exp(${args.double(0)})`,
  ),
  row('LOG', [1, 2], 'double', logarithm),
  ...domainRows,
  awayTo('EVEN', (value) => `${value} + ${value} % 2`),
  awayTo('ODD', (value) => `${value} + CASE WHEN ${value} % 2 <> 0 THEN 0 WHEN ${value} < 0 THEN -1 ELSE 1 END`),
  parity('ISEVEN', '='),
  parity('ISODD', '<>'),
  row('FACT', [1, 1], 'double', (args) => args.call('fact', args.double(0))),
  ofMany('GCD'),
  ofMany('LCM'),
  row('PI', [0, 0], 'double', ({ engine }) =>
    engine === 'postgres' ? '3.141592653589793::float8' : '3.141592653589793',
  ),
  scaled('RADIANS', '0.017453292519943295'),
  scaled('DEGREES', '57.29577951308232'),
  row('CURRENCY', [1, 1], 'decimal', (args) => args.as(0, 'decimal')),
  row(
    'CONVERT',
    [2, 2],
    (_, words) => TARGETS[words?.[1] ?? ''] ?? 'variant',
    (args) => args.as(0, TARGETS[args.word(1)] ?? 'variant'),
    { 1: Object.keys(TARGETS) },
  ),
];
