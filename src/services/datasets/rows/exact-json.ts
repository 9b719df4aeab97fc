import { checkBounds, JSON_BOUNDS, type JsonBounds } from '../../../kernel/values/index.ts';

/** A number with more digits than a double holds, in its original text. */
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
/** A number with at most this many characters is exact as a double. */
const MOST_EXACT_CHARACTERS = 15;

/** TypeScript does not declare the third argument of a reviver yet. */
interface Written {
  readonly source?: string;
}

function keepLong(_key: string, value: unknown, ...context: readonly Written[]): unknown {
  if (typeof value !== 'number') return value;
  const source = context[0]?.source;
  return source !== undefined && source.length > MOST_EXACT_CHARACTERS ? new LongNumber(source) : value;
}

/** JSON that can be parsed twice: fast, and with all digits of its numbers. */
export interface ReparsableJson {
  readonly value: unknown;
  /**
   * Parses again, with long numbers as `LongNumber`. Several times slower, so use it only after meeting a number that may have been
   * rounded.
   */
  exact(): unknown;
}

/** Throws `JsonBoundsError` before parsing if a bound is exceeded, and `SyntaxError` for invalid JSON. */
export function parseReparsable(bytes: Buffer, bounds: Partial<JsonBounds>): ReparsableJson {
  checkBounds(bytes, { ...JSON_BOUNDS, ...bounds });
  const text = bytes.toString('utf8');
  const json = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  return { value: JSON.parse(json), exact: () => JSON.parse(json, keepLong) };
}
