/**
 * Ids of extended properties: `String {66f5a359-4659-4830-9070-00047ec6ac6e} Name Color`, `Integer {…} Id 0x8012`, `String 0x4001`. Each id
 * has one normal form, independent of case, braces and leading zeros.
 */

/** MAPI types by name in lower case. */
const SINGLE = [
  'ApplicationTime',
  'Binary',
  'Boolean',
  'CLSID',
  'Currency',
  'Double',
  'Error',
  'Float',
  'Integer',
  'Long',
  'Null',
  'Object',
  'Short',
  'String',
  'SystemTime',
] as const;
export type PropertyType = (typeof SINGLE)[number];

const WITHOUT_ARRAY: ReadonlySet<string> = new Set<PropertyType>(['Boolean', 'Error', 'Null']);
const BY_NAME = new Map(SINGLE.map((type) => [type.toLowerCase(), type]));

export interface PropertyId {
  /** The normal form. */
  readonly id: string;
  readonly type: PropertyType;
  readonly isArray: boolean;
}

const PARTS =
  /^\s*([A-Za-z]+)\s+(?:\{?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}?\s+(?:Name\s+(\S.*?)|Id\s+(0x[0-9a-f]+|\d+))|(0x[0-9a-f]+))\s*$/i;
const LONGEST_NAME = 127;

/** Returns undefined if the text is not an id. Names keep their case but are compared case-insensitively. */
export function readPropertyId(text: string): PropertyId | undefined {
  if (text.length > 500) return undefined;
  const [, type = '', guid, name, number, tag] = PARTS.exec(text) ?? [];
  const isArray = /array$/i.test(type);
  const known = BY_NAME.get(type.replace(/array$/i, '').toLowerCase());
  if (!known || (isArray && WITHOUT_ARRAY.has(known))) return undefined;
  const written = `${known}${isArray ? 'Array' : ''}`;
  if (tag !== undefined) return tagged(written, Number(tag), known, isArray);
  const set = `{${guid?.toLowerCase()}}`;
  if (name !== undefined)
    return name.length > LONGEST_NAME ? undefined : { id: `${written} ${set} Name ${name}`, type: known, isArray };
  const lid = Number(number);
  // The number of a named property has 32 bits.
  if (lid > 0xffff_ffff) return undefined;
  return { id: `${written} ${set} Id 0x${lid.toString(16)}`, type: known, isArray };
}

/** A tag has 16 bits; 0 and 0xFFFF are not tags. */
const tagged = (written: string, tag: number, type: PropertyType, isArray: boolean): PropertyId | undefined =>
  tag >= 1 && tag <= 0xfffe ? { id: `${written} 0x${tag.toString(16)}`, type, isArray } : undefined;

/** The normal form; a text that is not an id is returned unchanged and matches no property. */
export const normalPropertyId = (text: string): string => readPropertyId(text)?.id ?? text;
