import type { Json } from '../../../../kernel/store/index.ts';
import { isList, isObject } from '../../../../kernel/values/index.ts';

const REFERENCE = /\{\{\s*([\w.-]+)\s*\}\}/g;
/** Limit of a resolved text; longer ones are truncated. */
const LONGEST_VALUE = 1_000_000;

/** Resolves the name between double braces; undefined if the name is unknown. */
export type Lookup = (name: string) => Json | undefined;

/** The value with every `{{name}}` in its texts replaced. Unknown references stay as they are. */
export function resolve(value: Json | undefined, lookup: Lookup): Json | undefined {
  if (typeof value === 'string') return resolveText(value, lookup);
  if (isList(value)) return value.map((each) => resolve(each, lookup) as Json);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolve(each as Json, lookup)]));
}

export function resolveText(text: string, lookup: Lookup): string {
  if (!text.includes('{{')) return text;
  const resolved = text.replace(REFERENCE, (whole, name: string) => {
    const value = lookup(name);
    return value === undefined ? whole : textOf(value);
  });
  return resolved.slice(0, LONGEST_VALUE);
}

/** Texts as they are, everything else as JSON. */
export const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The names that a value refers to. */
export function referencesIn(value: Json | undefined): ReadonlySet<string> {
  const found = new Set<string>();
  resolve(value, (name) => {
    found.add(name);
    return undefined;
  });
  return found;
}

/** Resolves `input` or one of its members, such as `input.key.inner`. */
export function memberOf(value: Json, path: readonly string[]): Json | undefined {
  let at: Json | undefined = value;
  for (const name of path) {
    if (!isObject(at) || !Object.hasOwn(at, name)) return undefined;
    at = (at as Readonly<Record<string, Json>>)[name];
  }
  return at;
}
