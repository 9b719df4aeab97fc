import { problems } from './problem.ts';
import type { Expression } from './syntax.ts';
import { decimal, fits, type SimpleKind, simple } from './types.ts';

const MOST_SIGNS = 500;
const SUFFIXES: Readonly<Record<string, SimpleKind>> = { L: 'LONG', S: 'SHORT', Y: 'BYTE', D: 'DOUBLE', F: 'FLOAT' };

/** A number literal, with its sign and type suffix. */
export function literalOf(text: string): Expression {
  const [, digits = '', suffix = ''] = /^(.*?)(BD|[DFLSY])?$/i.exec(text) ?? [];
  const letter = suffix.toUpperCase();
  const kind = SUFFIXES[letter];
  // No type has more digits; parsing a million of them would take long.
  if (digits.length > MOST_SIGNS) throw problems.outOfRange(digits.slice(0, 100), 'DECIMAL(38,18)');
  const isWhole = /^-?\d+$/.test(digits);
  if (kind === 'DOUBLE' || kind === 'FLOAT' || (kind === undefined && letter !== 'BD' && /e/i.test(digits)))
    return { is: 'literal', type: simple(kind ?? 'DOUBLE'), value: Number(digits), shown: digits };
  if (isWhole && letter !== 'BD') {
    const value = BigInt(digits);
    const type = simple(kind ?? (fits(value, simple('INT')) ? 'INT' : 'LONG'));
    if (fits(value, type)) return { is: 'literal', type, value, shown: digits };
    if (kind) throw problems.outOfRange(digits, kind);
  }
  const [whole = '', fraction = ''] = digits.split('.');
  const significant = `${whole.replace(/^-?0*/, '')}${fraction}`;
  const precision = Math.max(significant.length, fraction.length, 1);
  if (precision > 38) throw problems.outOfRange(digits.slice(0, 100), 'DECIMAL(38,18)');
  return {
    is: 'literal',
    type: decimal(precision, fraction.length),
    value: BigInt(`${whole === '' || whole === '-' ? `${whole}0` : whole}${fraction}`),
    shown: digits,
  };
}
