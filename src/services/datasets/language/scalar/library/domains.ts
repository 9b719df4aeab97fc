import { outOfRange } from './failures.ts';
import { failing, inlined, type LibraryPart } from './part.ts';

/**
 * Functions of the C library. Both engines call it, so their last digits agree; SQLite has them built in. An argument outside the domain is
 * an error; an undefined value (the sine of Infinity) is BLANK.
 */

export interface DomainFunction {
  readonly sqlite: (x: string) => string;
  readonly postgres: (x: string) => string;
  /** A condition on `x`; if undefined, the function is defined for all numbers. */
  readonly domain?: (x: string) => string;
}

const named = (name: string, domain?: DomainFunction['domain']): DomainFunction => ({
  sqlite: (x) => `${name}(${x})`,
  postgres: (x) => `${name}(${x})`,
  ...(domain && { domain }),
});

const positive = (x: string): string => `${x} > 0`;
const sineLike = (x: string): string => `${x} BETWEEN -1 AND 1`;
const finite = (name: string): DomainFunction => ({
  sqlite: (x) => `${name}(${x})`,
  postgres: (x) => `CASE WHEN abs(${x}) < 'Infinity' THEN ${name}(${x}) END`,
});

/** Keyed by the function name in the language. */
export const DOMAIN_FUNCTIONS: Readonly<Record<string, DomainFunction>> = {
  SQRT: named('sqrt', (x) => `${x} >= 0`),
  LN: named('ln', positive),
  LOG10: { ...named('log10', positive), postgres: (x) => `log(${x})` },
  ASIN: named('asin', sineLike),
  ACOS: named('acos', sineLike),
  SIN: finite('sin'),
  COS: finite('cos'),
  TAN: finite('tan'),
  ATAN: named('atan'),
};

const definition = ([name, { postgres, domain }]: [string, DomainFunction]): string =>
  inlined(
    name.toLowerCase(),
    { parameters: 'x float8', returns: 'float8', fails: domain !== undefined },
    domain
      ? `CASE WHEN ${domain('x')} THEN ${postgres('x')} WHEN x IS NOT NULL THEN ${failing(outOfRange(name), 'x', 'float8')} END`
      : postgres('x'),
  );

/** True if the base is valid for logarithms. */
export const isBase = (base: string): string => `${base} > 0 AND ${base} <> 1`;

export const DOMAINS: LibraryPart = {
  functions: {},
  postgres: [
    ...Object.entries(DOMAIN_FUNCTIONS).map(definition),
    inlined(
      'log',
      { parameters: 'x float8, base float8', returns: 'float8', fails: true },
      `CASE WHEN x > 0 AND ${isBase('base')} THEN CASE WHEN base = 10 THEN log(x) ELSE ln(x) / ln(base) END WHEN x IS NOT NULL THEN ${failing(outOfRange('LOG'), 'x', 'float8')} END`,
    ),
  ],
};
