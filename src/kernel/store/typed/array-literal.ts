import type { Cell } from './types.ts';

const ESCAPED = /["\\]/;
const EACH_ESCAPED = /["\\]/g;

/** An array as PostgreSQL reads it. The driver makes one too, in several times the time: it looks at every value for types that these never have. */
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
