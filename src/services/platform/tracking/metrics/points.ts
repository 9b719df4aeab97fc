import type { MeasuredOn, MetricValue } from '../collections.ts';

/** A point of the history of a metric. */
export interface Point {
  readonly value: MetricValue;
  readonly timestamp: number;
  readonly step: number;
  readonly on?: MeasuredOn;
}

/** NaN is greater than every number. */
function compareValues(a: MetricValue, b: MetricValue): number {
  if (a === b) return 0;
  if (a === 'NaN') return 1;
  if (b === 'NaN') return -1;
  return Number(a) - Number(b) > 0 ? 1 : Number(a) === Number(b) ? 0 : -1;
}

/** The order of a history: by time, then step, then value. Points that compare as equal are the same point. */
export const comparePoints = (a: Point, b: Point): number =>
  a.timestamp - b.timestamp || a.step - b.step || compareValues(a.value, b.value);

/** The order that determines the latest point: by step, then time, then value. */
export const isLater = (a: Point, b: Point): boolean =>
  (a.step - b.step || a.timestamp - b.timestamp || compareValues(a.value, b.value)) > 0;

/** Length of a time or a step: whole numbers up to 2⁵³, hexadecimal. */
const WHOLE_DIGITS = 14;

const whole = (number: number): string => number.toString(16).padStart(WHOLE_DIGITS, '0');

/**
 * Unlike times, steps may be negative. They get a leading digit for the sign, because adding an offset would exceed 2⁵³ and lose the last
 * bit.
 */
const stepText = (step: number): string => (step < 0 ? `0${whole(Number.MAX_SAFE_INTEGER + step)}` : `1${whole(step)}`);

const SIGN = 0x8000_0000;
const DOUBLE_BYTES = 8;
/** Sorts after every number. */
const NAN_TEXT = 'f'.repeat(2 * DOUBLE_BYTES);

/** The bits of a negative number sort in reverse order, so they are inverted; for other numbers the sign bit is set. */
function valueText(value: MetricValue): string {
  if (value === 'NaN') return NAN_TEXT;
  const bits = new DataView(new ArrayBuffer(DOUBLE_BYTES));
  bits.setFloat64(0, Number(value));
  let [high, low] = [bits.getUint32(0), bits.getUint32(4)];
  if (high >= SIGN) [high, low] = [~high >>> 0, ~low >>> 0];
  else high = (high | SIGN) >>> 0;
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

/** A sort key: its text order is the order of a history. */
export const orderOf = ({ timestamp, step, value }: Point): string =>
  whole(timestamp) + stepText(step) + valueText(value);
