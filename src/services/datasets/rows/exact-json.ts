import { checkBounds, JSON_BOUNDS, type JsonBounds } from '../../../kernel/values/index.ts';

/** A number with more digits than a double keeps, as it was written. */
export class LongNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }

  toJSON(): string {
    return this.source;
  }
}

const BYTE_ORDER_MARK = 0xfeff;

/** Where no run of digits, with or without a point in it, is this long, every number is exact as a double. */
const LONG_NUMBER = /\d[\d.]{15}/;
const MOST_EXACT_CHARACTERS = 15;

/** The third argument of a reviver is not in TypeScript's declarations yet. */
interface Written {
  readonly source?: string;
}

function keepLong(_key: string, value: unknown, ...context: readonly Written[]): unknown {
  if (typeof value !== 'number') return value;
  const source = context[0]?.source;
  return source !== undefined && source.length > MOST_EXACT_CHARACTERS ? new LongNumber(source) : value;
}

/**
 * JSON in which long numbers are `LongNumber`, since a column of Int64 or Decimal keeps what a double would round. Only texts that may have one are
 * read with a reviver, which takes several times as long.
 */
export function parseExact(bytes: Buffer, bounds: Partial<JsonBounds>): unknown {
  checkBounds(bytes, { ...JSON_BOUNDS, ...bounds });
  const text = bytes.toString('utf8');
  const json = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  return LONG_NUMBER.test(json) ? JSON.parse(json, keepLong) : JSON.parse(json);
}
