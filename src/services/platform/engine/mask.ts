import { isObject, type JsonMembers } from '../../../kernel/values/index.ts';
import { errors } from '../errors.ts';
import type { FieldRule, FieldRules } from './fields.ts';

/** Longer masks are mistakes or attacks: a mask with every field of a kind has some hundred characters. */
const LONGEST = 10_000;
const DEEPEST = 32;

/** The paths of an `update_mask`: one text with commas, or a repeated parameter. Returns undefined if there is none. */
export function readMask(sent: unknown, times: 'one' | 'several' = 'several'): readonly string[] | undefined {
  if (sent === undefined || sent === null) return undefined;
  const texts: readonly unknown[] = Array.isArray(sent) && times === 'several' ? sent : [sent];
  if (!texts.every((each) => typeof each === 'string'))
    throw errors.MALFORMED_REQUEST({
      reason: "Could not parse request object: the field 'update_mask' must be a string.",
    });
  const text = texts.join();
  if (text.length > LONGEST)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `The update_mask must be at most ${LONGEST} characters.` });
  const paths = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const deep = paths.find((path) => path.split('.').length > DEEPEST);
  if (deep !== undefined)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `The path '${deep.slice(0, 100)}' of update_mask must have at most ${DEEPEST} parts.`,
    });
  return paths.length === 0 ? undefined : [...new Set(paths)];
}

/** `*` selects all fields: the request replaces the whole object. */
export const isWhole = (mask: readonly string[]): boolean => mask.includes('*');

/** The fields in a mask: the first segment of each path. */
export const maskedFields = (mask: readonly string[]): readonly string[] => [
  ...new Set(mask.map((path) => path.split('.', 1)[0] as string)),
];

/** Throws if a mask names unknown fields. A list can only be named as a whole. `isShown`: fields that occur in answers and never change. */
export function checkMask(mask: readonly string[], fields: FieldRules, isShown: (name: string) => boolean): void {
  for (const path of mask) {
    const [first = '', ...rest] = path.split('.');
    if (path === '*' || (!Object.hasOwn(fields, first) && isShown(first))) continue;
    let rules: FieldRules | undefined = fields;
    for (const name of [first, ...rest]) {
      const rule: FieldRule | undefined = rules && Object.hasOwn(rules, name) ? rules[name] : undefined;
      // Objects without rules may contain any names.
      if (!rule && rules) throw unknownPath(path);
      rules = rule?.type === 'object' ? rule.members : {};
    }
  }
}

const unknownPath = (path: string) =>
  errors.INVALID_PARAMETER_VALUE({ reason: `The update_mask names '${path.slice(0, 200)}', which is not a field.` });

/** If a mask names parts of fields: merges those parts of the request into the current fields. */
export function withMaskedParts(before: JsonMembers, sent: unknown, mask: readonly string[]): unknown {
  const whole = new Set(mask);
  const parts = mask
    .map((path) => path.split('.'))
    .filter(([field, ...rest]) => rest.length > 0 && !whole.has(field as string));
  if (parts.length === 0 || !isObject(sent)) return sent;
  const fields = new Set(parts.map(([field]) => field as string));
  const kept = Object.fromEntries([...fields].map((field) => [field, before[field]]));
  return parts.reduce<unknown>((all, path) => replaced(all, path, at(sent, path)), { ...sent, ...kept });
}

const own = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

const at = (value: unknown, path: readonly string[]): unknown => path.reduce(own, value);

function replaced(whole: unknown, [name = '', ...rest]: readonly string[], part: unknown): unknown {
  const value = rest.length === 0 ? part : replaced(own(whole, name), rest, part);
  return { ...(isObject(whole) ? whole : {}), [name]: value };
}
