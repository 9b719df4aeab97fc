import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../values/objects.ts';
import type { AnyField } from './field.ts';

/** Paths of `immutable` fields that were sent with a different value. */
export function immutableChanges({ shape }: AnyField, draft: unknown, before: unknown, at = ''): string[] {
  if (shape.kind !== 'object' || !isObject(draft)) return [];
  const known = isObject(before) ? before : {};
  return Object.entries(shape.members(draft)).flatMap(([name, field]) => {
    const now = draft[name];
    if (now === undefined) return [];
    const target = at === '' ? name : `${at}.${name}`;
    if (!field.options.immutable) return immutableChanges(field, now, known[name], target);
    return isDeepStrictEqual(now, known[name]) ? [] : [target];
  });
}
