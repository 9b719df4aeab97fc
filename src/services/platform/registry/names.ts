import { errors } from '../errors.ts';
import { checkLength, checkName, resolvedPath } from '../tracking/names.ts';
import type { Request } from '../tracking/request.ts';
import type { Tag } from './collections.ts';

/** Rules for the names of models, tags and aliases, with the messages of the real service. */

/** Limit of the open-source server. */
const LONGEST_NAME = 256;
const LONGEST_TAG_VALUE = 100_000;
const LONGEST_ALIAS = 255;
export const LONGEST_DESCRIPTION = 65_535;
export const LONGEST_COMMENT = 65_535;

/** Limit per model or version. A limit of the jar: tags are stored in the document that they belong to. */
const MOST_TAGS = 1000;
const MOST_TAG_CHARACTERS = 1_000_000;
const MOST_ALIASES = 1000;

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

export function checkModelName(name: string): void {
  if (name.trim() === '')
    throw invalid(`Got an invalid name '${name.slice(0, 20)}'. Registered Model names cannot be empty strings.`);
  checkLength(name, 'name', LONGEST_NAME);
  if (/[/:\0]/.test(name) || resolvedPath(name) !== name || name === '.' || name.startsWith('..'))
    throw invalid(
      `Invalid name: '${name}'. Registered model names cannot contain '/' or ':', and must not resolve to other names when treated as paths.`,
    );
}

/** `key` and `value` of a call, or of an entry of its `tags`. */
export function readTag(sent: Request): Tag {
  const key = sent.need('key');
  checkName(key, sent.path('key'), 'key');
  const value = sent.text('value') ?? '';
  checkLength(value, 'value', LONGEST_TAG_VALUE);
  return { key, value };
}

/** The tags of a new object; if a key occurs several times, the last value applies. */
export function readTags(sent: Request): readonly Tag[] {
  const list = sent.list('tags');
  if (list.length > MOST_TAGS) throw tooMany(list.length);
  return list.reduce<readonly Tag[]>((tags, each) => withTag(tags, readTag(each)), []);
}

const tooMany = (count: number) => invalid(`There may be at most ${MOST_TAGS} tags; there are ${count}.`);

export function withTag(tags: readonly Tag[], tag: Tag): readonly Tag[] {
  const after = [...withoutTag(tags, tag.key), tag];
  if (after.length > MOST_TAGS) throw tooMany(after.length);
  const characters = after.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
  if (characters > MOST_TAG_CHARACTERS)
    throw invalid(`All tags together may have at most ${MOST_TAG_CHARACTERS} characters; they have ${characters}.`);
  return after;
}

export const withoutTag = (tags: readonly Tag[], key: string): readonly Tag[] =>
  tags.filter((each) => each.key !== key);

export function checkAlias(alias: string): void {
  if (alias === '') throw invalid('Registered model alias name cannot be empty.');
  checkLength(alias, 'Registered model alias name', LONGEST_ALIAS);
  if (!/^[\w-]+$/.test(alias))
    throw invalid(
      `Invalid alias name: '${alias}'. Names may only contain alphanumerics, underscores (_), and dashes (-).`,
    );
  if (alias.toLowerCase() === 'latest') throw invalid("'latest' alias name (case insensitive) is reserved.");
  if (/^v\d+$/i.test(alias)) throw invalid(`Version alias name '${alias}' is reserved.`);
}

export function checkAliasCount(count: number): void {
  if (count > MOST_ALIASES)
    throw invalid(`A registered model may have at most ${MOST_ALIASES} aliases; it would have ${count}.`);
}

/** The number of a version, sent as text or as a number. */
export function versionIn(sent: Request, name = 'version'): number {
  const value = sent.value(name);
  if (value === undefined || value === '') throw sent.missing(name);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) return Number(value);
  throw invalid(`Model version must be an integer, got '${String(value).slice(0, 100)}'`);
}
