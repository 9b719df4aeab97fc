import type { Cell } from './types.ts';

const ESCAPED = /["\\]/;
const EACH_ESCAPED = /["\\]/g;

/**
 * Formats an array literal for PostgreSQL. The driver could do this too, but takes several times as long: it checks every value for types
 * that do not occur here.
 */
export function arrayOf(values: readonly Cell[]): string {
  let text = '{';
  for (let i = 0; i < values.length; i++) {
    if (i > 0) text += ',';
    const value = values[i]!;
    if (typeof value === 'string') {
      text += `"${ESCAPED.test(value) ? value.replace(EACH_ESCAPED, '\\$&') : value}"`;
    } else text += value === null ? 'NULL' : String(value);
  }
  return `${text}}`;
}
