import type { Json, JsonList } from './json.ts';

/** True for a JSON object; false for a list, null or a primitive value. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for a JSON list. The type guard `Array.isArray` applies only to mutable arrays, and does not narrow read-only ones. */
export const isList = (value: Json | undefined): value is JsonList => Array.isArray(value);

/** Returns a copy without undefined members, which exact optional property types distinguish from absent ones. */
export function omitAbsent<T extends object>(whole: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined)) as never;
}
