import { isObject } from '../../values/objects.ts';

export interface Difference {
  /** Names of members and indexes of elements. */
  readonly path: readonly (string | number)[];
  /** Undefined if the member does not exist. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Whether two texts mean the same; the same secret is sealed differently each time. */
export type SameText = (before: string, after: string) => boolean;

/** Yields the members that differ. Elements of lists are compared by their index. */
export function* differences(
  before: unknown,
  after: unknown,
  sameText: SameText,
  path: Difference['path'] = [],
): Generator<Difference> {
  if (Object.is(before, after)) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let i = 0; i < Math.max(before.length, after.length); i++)
      yield* differences(before[i], after[i], sameText, [...path, i]);
  } else if (isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* differences(memberOf(before, name), memberOf(after, name), sameText, [...path, name]);
  } else if (!(typeof before === 'string' && typeof after === 'string' && sameText(before, after)))
    yield { path, before, after };
}

/** Follows a path; undefined if it leads nowhere. */
export function valueAt(value: unknown, path: Difference['path']): unknown {
  let found = value;
  for (const step of path) {
    if (Array.isArray(found)) found = found[Number(step)];
    else if (isObject(found)) found = memberOf(found, String(step));
    else return undefined;
  }
  return found;
}

const memberOf = (object: object, name: string): unknown =>
  Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;

const PLAIN = /^[\w$@-]+$/;

/** `properties.tags['cost center'][0]` */
export function pathText(path: Difference['path']): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (PLAIN.test(step)) text += text === '' ? step : `.${step}`;
    else text += `['${step.replaceAll("'", "\\'")}']`;
  }
  return text;
}
