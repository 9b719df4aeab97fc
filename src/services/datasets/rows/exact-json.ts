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
/** A number of no more characters is exact as a double. */
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

/** JSON that can be read twice: as fast as it goes, and with every digit of its numbers. */
export interface ReadTwice {
  readonly value: unknown;
  /** Long numbers are `LongNumber`. Takes several times as long, so it is for whoever has met a number that a double may have rounded. */
  exact(): unknown;
}

/** Throws a `SyntaxError`, or a `JsonBoundsError` before anything is parsed. */
export function parseTwice(bytes: Buffer, bounds: Partial<JsonBounds>): ReadTwice {
  checkBounds(bytes, { ...JSON_BOUNDS, ...bounds });
  const text = bytes.toString('utf8');
  const json = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  return { value: JSON.parse(json), exact: () => JSON.parse(json, keepLong) };
}
