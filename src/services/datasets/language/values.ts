import { type Cell, END_OF_SERIALS, FIRST_SERIAL, plainText } from '../../../kernel/store/index.ts';
import { QueryError } from './errors.ts';
import type { ScalarType } from './scalar/types.ts';

const OVERFLOW = 'The result is too large for a whole number.';
const NO_DATE = 'The result is not a date between the years 1 and 9999.';

const LETTERS: Readonly<Record<string, ScalarType>> = {
  i: 'int',
  r: 'double',
  c: 'decimal',
  d: 'date',
  b: 'boolean',
  s: 'text',
};

/**
 * The JSON text of a value. Numbers keep all their digits even if a double cannot hold them; an infinity is null, because JSON cannot
 * represent it.
 */
export function jsonText(cell: Cell, type: ScalarType): string {
  if (cell === null) return 'null';
  switch (type) {
    case 'boolean':
      return Number(cell) === 0 ? 'false' : 'true';
    case 'int':
    case 'blank':
      // SQLite continues with a double on integer overflow.
      if (typeof cell === 'number' && !Number.isSafeInteger(cell)) throw new QueryError(OVERFLOW);
      return String(cell);
    case 'decimal':
      return plainText('decimal', cell);
    case 'double':
      return Number.isFinite(Number(cell)) ? String(Number(cell)) : 'null';
    case 'date':
      return JSON.stringify(plainText('datetime', shownSerial(Number(cell))));
    case 'text':
      return JSON.stringify(cell);
    case 'variant': {
      const text = String(cell);
      return jsonText(text.slice(1), LETTERS[text[0]!] ?? 'text');
    }
  }
}

/** Arithmetic can exceed the valid range of dates. */
function shownSerial(serial: number): number {
  if (serial >= FIRST_SERIAL && serial < END_OF_SERIALS) return serial;
  throw new QueryError(NO_DATE);
}
