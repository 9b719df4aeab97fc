import type { Cell } from '../../../kernel/store/index.ts';
import { QueryError } from './errors.ts';
import type { ScalarType } from './scalar/types.ts';

const OVERFLOW = 'The result is too large for a whole number.';
const NO_DATE = 'The result is not a date between the years 1 and 9999.';
const SCALE = 10_000n;
/** 0001-01-01 and the day after 9999-12-31, in days since 1899-12-30. */
const FIRST_SERIAL = -693_593;
const END_OF_SERIALS = 2_958_466;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(1899, 11, 30);

const LETTERS: Readonly<Record<string, ScalarType>> = {
  i: 'int',
  r: 'double',
  c: 'decimal',
  d: 'date',
  b: 'boolean',
  s: 'text',
};

/** A value as the JSON of an answer has it. Numbers that a double cannot hold keep all their digits; what JSON cannot say, an infinity, is null. */
export function jsonText(cell: Cell, type: ScalarType): string {
  if (cell === null) return 'null';
  switch (type) {
    case 'boolean':
      return Number(cell) === 0 ? 'false' : 'true';
    case 'int':
    case 'blank':
      // SQLite goes on with a double where whole numbers end.
      if (typeof cell === 'number' && !Number.isSafeInteger(cell)) throw new QueryError(OVERFLOW);
      return String(cell);
    case 'decimal':
      return fixed(BigInt(cell));
    case 'double':
      return Number.isFinite(Number(cell)) ? String(Number(cell)) : 'null';
    case 'date':
      return JSON.stringify(dateText(shownSerial(Number(cell))));
    case 'text':
      return JSON.stringify(cell);
    case 'variant': {
      const text = String(cell);
      return jsonText(text.slice(1), LETTERS[text[0]!] ?? 'text');
    }
  }
}

/** Arithmetic can leave the years that dates have. */
function shownSerial(serial: number): number {
  if (serial >= FIRST_SERIAL && serial < END_OF_SERIALS) return serial;
  throw new QueryError(NO_DATE);
}

/** Ten-thousandths, as a number with as many places as it needs. */
function fixed(scaled: bigint): string {
  const size = scaled < 0n ? -scaled : scaled;
  const places = (size % SCALE).toString().padStart(4, '0').replace(/0+$/, '');
  return `${scaled < 0n ? '-' : ''}${size / SCALE}${places === '' ? '' : `.${places}`}`;
}

/** Days since 1899-12-30 as a date without a zone, with a fraction of a second where there is one. */
export function dateText(serial: number): string {
  const text = new Date(FIRST_DAY + Math.round(serial * DAY_MS)).toISOString();
  return text.endsWith('.000Z') ? text.slice(0, -5) : text.slice(0, -1);
}
