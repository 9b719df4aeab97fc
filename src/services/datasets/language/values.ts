import type { Cell } from '../../../kernel/store/index.ts';
import type { ScalarType } from './scalar/types.ts';

/** A value as an answer has it. Numbers that a double cannot hold are written with all their digits. */
export type JsonValue = string | number | boolean | null | ReturnType<typeof JSON.rawJSON>;

const SCALE = 10_000n;
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

export function jsonValue(cell: Cell, type: ScalarType): JsonValue {
  if (cell === null) return null;
  switch (type) {
    case 'boolean':
      return Number(cell) !== 0;
    case 'int':
    case 'blank':
      return whole(cell);
    case 'decimal':
      return fixed(BigInt(cell));
    case 'double': {
      const number = Number(cell);
      return Number.isFinite(number) ? number : null;
    }
    case 'date':
      return dateText(Number(cell));
    case 'text':
      return String(cell);
    case 'variant': {
      const text = String(cell);
      return jsonValue(text.slice(1), LETTERS[text[0] ?? 's'] ?? 'text');
    }
  }
}

function whole(cell: Exclude<Cell, null>): JsonValue {
  const number = Number(cell);
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(BigInt(cell).toString());
}

/** Ten-thousandths, as a number with as many places as it needs. */
function fixed(scaled: bigint): JsonValue {
  const size = scaled < 0n ? -scaled : scaled;
  const places = (size % SCALE).toString().padStart(4, '0').replace(/0+$/, '');
  return JSON.rawJSON(`${scaled < 0n ? '-' : ''}${size / SCALE}${places === '' ? '' : `.${places}`}`);
}

/** Days since 1899-12-30 as a date without a zone, with a fraction of a second where there is one. */
export function dateText(serial: number): string {
  const text = new Date(FIRST_DAY + Math.round(serial * DAY_MS)).toISOString();
  return text.endsWith('.000Z') ? text.slice(0, -5) : text.slice(0, -1);
}
