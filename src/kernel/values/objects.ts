import type { Json, JsonList } from './json.ts';

/** An object of JSON, as opposed to a list, null or a plain value. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list of JSON. `Array.isArray` knows lists that can be changed only, and leaves a read-only one among what is no list. */
export const isList = (value: Json | undefined): value is JsonList => Array.isArray(value);

/** A copy without the members that are undefined, which exact optional types tell from absent ones. */
export function omitAbsent<T extends object>(whole: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined)) as never;
}
