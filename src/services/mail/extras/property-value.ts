import { isGuid, parseInstant } from '../../../kernel/odata/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { fromBase64 } from '../attachments/base64.ts';
import type { PropertyType } from './property-id.ts';

/** Values of extended properties are strings for all types; each type has one normal form. */

const whole =
  (bits: bigint) =>
  (text: string): string | undefined => {
    if (!/^[+-]?\d{1,20}$/.test(text)) return undefined;
    const value = BigInt(text);
    const half = 1n << (bits - 1n);
    return value >= -half && value < half ? String(value) : undefined;
  };

const decimal = (text: string): string | undefined =>
  /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) && Number.isFinite(Number(text))
    ? String(Number(text))
    : undefined;

const time = (text: string): string | undefined => {
  const instant = parseInstant(text);
  return instant === undefined ? undefined : isoTime(instant).replace('.000Z', 'Z');
};

const WRITE: Readonly<Record<PropertyType, (text: string) => string | undefined>> = {
  ApplicationTime: decimal,
  Binary: (text) => fromBase64(text)?.toString('base64'),
  Boolean: (text) => (/^(true|false)$/i.test(text) ? text.toLowerCase() : undefined),
  CLSID: (text) => {
    const guid = text.replace(/^\{(.*)\}$/, '$1').toLowerCase();
    return isGuid(guid) ? guid : undefined;
  },
  Currency: whole(64n),
  Double: decimal,
  Error: whole(32n),
  Float: decimal,
  Integer: whole(32n),
  Long: whole(64n),
  Null: (text) => (text === '' ? '' : undefined),
  Object: (text) => fromBase64(text)?.toString('base64'),
  Short: whole(16n),
  String: (text) => text,
  SystemTime: time,
};

/** The normal form of a value, as stored and shown; undefined if it is not a value of the type. */
export const normalValue = (type: PropertyType, text: string): string | undefined => WRITE[type](text);
