import type { MetricValue } from '../collections.ts';

/**
 * The key of a metric point: its series, and then time, step and value written so that texts sort as the numbers do. So a history in the order of the API
 * (time, step, value) is a range of keys, a point that is logged twice is one document, and nothing has to be stored beside the key.
 */

export interface Point {
  readonly value: MetricValue;
  readonly timestamp: number;
  readonly step: number;
}

/** Of a time or a step: whole numbers up to 2⁵³, hexadecimal. */
const WHOLE_DIGITS = 14;
/** Of a value: the 64 bits of a double. */
const VALUE_DIGITS = 16;
/** Steps may be negative; times may not. */
const STEP_SHIFT = 2 ** 53;

const whole = (number: number): string => number.toString(16).padStart(WHOLE_DIGITS, '0');

/** For the order of steps. */
export const stepText = (step: number): string => whole(step + STEP_SHIFT);

const bits = new DataView(new ArrayBuffer(8));
const SIGN = 0x8000_0000;

/** Behind every number. */
const NAN_TEXT = 'f'.repeat(VALUE_DIGITS);

/** The bits of a negative number sort the other way round, so they are inverted; of others the sign bit is set. */
function valueText(value: MetricValue): string {
  if (value === 'NaN') return NAN_TEXT;
  // There is one zero.
  bits.setFloat64(0, Number(value) + 0);
  let [high, low] = [bits.getUint32(0), bits.getUint32(4)];
  if (high >= SIGN) [high, low] = [~high >>> 0, ~low >>> 0];
  else high = (high | SIGN) >>> 0;
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

function valueIn(text: string): MetricValue {
  if (text === NAN_TEXT) return 'NaN';
  let [high, low] = [Number.parseInt(text.slice(0, 8), 16), Number.parseInt(text.slice(8), 16)];
  if (high >= SIGN) high = high ^ SIGN;
  else [high, low] = [~high, ~low];
  bits.setUint32(0, high >>> 0);
  bits.setUint32(4, low >>> 0);
  const value = bits.getFloat64(0);
  if (Number.isFinite(value)) return value;
  return value > 0 ? 'Infinity' : '-Infinity';
}

export const pointKey = (series: string, { timestamp, step, value }: Point): string =>
  series + whole(timestamp) + stepText(step) + valueText(value);

/** The point that a key says. */
export function pointOf(series: string, key: string): Point {
  const digits = key.slice(series.length);
  return {
    timestamp: Number.parseInt(digits.slice(0, WHOLE_DIGITS), 16),
    step: Number.parseInt(digits.slice(WHOLE_DIGITS, 2 * WHOLE_DIGITS), 16) - STEP_SHIFT,
    value: valueIn(digits.slice(2 * WHOLE_DIGITS)),
  };
}

/** The order in which the latest point is the greatest: by step, then time, then value. NaN is greater than every number. */
export function isLater(a: Point, b: Point): boolean {
  if (a.step !== b.step) return a.step > b.step;
  if (a.timestamp !== b.timestamp) return a.timestamp > b.timestamp;
  return valueText(a.value) > valueText(b.value);
}
