import { Type } from 'typebox';
import { gatewayErrors } from './errors.ts';

export const MAX_TAGS = 50;
export const MAX_TAG_NAME_LENGTH = 512;
export const MAX_TAG_VALUE_LENGTH = 256;

export const TagsSchema = Type.Record(Type.String(), Type.String());

/** Validates tags; names are unique without case. */
export function checkTags(tags: Record<string, string> | undefined): Record<string, string> {
  const entries = Object.entries(tags ?? {});
  const problem = (reason: string): Error => gatewayErrors.InvalidTag({ reason }, { target: 'tags' });
  if (entries.length > MAX_TAGS) throw problem(`there are ${entries.length}, and at most ${MAX_TAGS} are allowed.`);
  const seen = new Set<string>();
  for (const [name, value] of entries) {
    if (name === '') throw problem('a tag has an empty name.');
    if (name.length > MAX_TAG_NAME_LENGTH)
      throw problem(`the name '${name.slice(0, 40)}…' is longer than ${MAX_TAG_NAME_LENGTH} characters.`);
    if (/[<>%&\\?/]/.test(name))
      throw problem(`the name '${name}' has one of the characters < > % & \\ ? /, which are not allowed.`);
    if (value.length > MAX_TAG_VALUE_LENGTH)
      throw problem(`the value of '${name}' is longer than ${MAX_TAG_VALUE_LENGTH} characters.`);
    if (seen.has(name.toLowerCase())) throw problem(`'${name}' is given twice; names are not case-sensitive.`);
    seen.add(name.toLowerCase());
  }
  return { ...tags };
}
