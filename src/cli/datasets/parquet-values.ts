import type { SchemaElement } from 'hyparquet';

/** JSON, or an error message. */
export type ParquetValue = string | { readonly mistake: string };

const DAY_NS = 86_400_000_000_000n;
const MS_NS = 1_000_000n;
/** Range of `Date`. */
const MOST_MS = 8_640_000_000_000_000n;

/** Converts values from the Parquet reader to the JSON of a push. */
export function valueReader(element: SchemaElement): (value: unknown) => ParquetValue {
  const { converted_type: converted, logical_type: logical, type, scale = 0 } = element;
  if (converted === 'DECIMAL') return (value) => decimalJson(value, scale);
  if (logical?.type === 'DECIMAL') return (value) => decimalJson(value, logical.scale);
  if (type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY') return textJson;
  return plainJson;
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textJson(value: unknown): ParquetValue {
  if (!(value instanceof Uint8Array)) return plainJson(value);
  try {
    return JSON.stringify(UTF_8.decode(value));
  } catch {
    return { mistake: `these ${value.length} bytes are not UTF-8 text` };
  }
}

function plainJson(value: unknown): ParquetValue {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number' && !Number.isFinite(value))
    return { mistake: `a table cannot store the number ${value}` };
  if (typeof value === 'object') return { mistake: 'the value is a list or a record' };
  return JSON.stringify(value) ?? 'null';
}

/** Keeps all digits: the value is the unscaled number, as an integer or as big-endian bytes. */
function decimalJson(value: unknown, scale: number): ParquetValue {
  const units =
    value instanceof Uint8Array
      ? signed(value)
      : typeof value === 'number' || typeof value === 'bigint'
        ? BigInt(value)
        : undefined;
  if (units === undefined) return { mistake: 'the value is not a decimal' };
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${units < 0n ? '-' : ''}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`;
}

function signed(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
}

/** `2024-01-05T13:04:09.123456789`, without a time zone, because dates in tables have none. */
export function isoFromNanoseconds(nanoseconds: bigint): string {
  const rest = ((nanoseconds % DAY_NS) + DAY_NS) % DAY_NS;
  const ms = (nanoseconds - rest) / MS_NS + rest / MS_NS;
  if (ms > MOST_MS || ms < -MOST_MS) return `${nanoseconds} ns since 1970`;
  const text = new Date(Number(ms)).toISOString();
  return `${text.slice(0, -1)}${String(rest % MS_NS).padStart(6, '0')}`;
}
