import { posix } from 'node:path';
import { errors } from '../errors.ts';
import type { Tag } from './collections.ts';
import type { Arguments } from './request.ts';

/** Rules for the names of models, tags and aliases, with the messages of the real service. */

/** As long as the open-source server can store one. */
const LONGEST_NAME = 256;
const LONGEST_TAG_KEY = 250;
const LONGEST_TAG_VALUE = 100_000;
const LONGEST_ALIAS = 255;
export const LONGEST_DESCRIPTION = 65_535;
export const LONGEST_COMMENT = 65_535;

/** Of one model or version. Ours: tags are kept in the document that they belong to. */
const MOST_TAGS = 1000;
const MOST_TAG_CHARACTERS = 1_000_000;
const MOST_ALIASES = 1000;

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

const tooLong = (what: string, most: number) => invalid(`'${what}' exceeds the maximum length of ${most} characters`);

/** A name that is another one when it is read as a path: `a/../b`, `./a`, `a//b`. */
const asPath = (name: string): string => posix.normalize(name).replace(/(.)\/$/, '$1');

const isPathOfItself = (name: string): boolean =>
  name === asPath(name) && name !== '.' && !name.startsWith('..') && !name.startsWith('/');

export function checkModelName(name: string): void {
  if (name.trim() === '')
    throw invalid(`Got an invalid name '${name.slice(0, 20)}'. Registered Model names cannot be empty strings.`);
  if (name.length > LONGEST_NAME) throw tooLong('name', LONGEST_NAME);
  if (/[/:]/.test(name) || !isPathOfItself(name) || name.includes('\0'))
    throw invalid(
      `Invalid name: '${name}'. Registered model names cannot contain '/' or ':', and must not resolve to other names when treated as paths.`,
    );
}

function checkTagKey(key: string, at: string): void {
  if (key === '') throw invalid(`Missing value for required parameter '${at}'.`);
  if (key.length > LONGEST_TAG_KEY) throw tooLong('key', LONGEST_TAG_KEY);
  const wrong = `Invalid value ${JSON.stringify(key)} for parameter '${at}' supplied:`;
  if (!/^[/\w.\- :]+$/.test(key))
    throw invalid(
      `${wrong} Names may only contain alphanumerics, underscores (_), dashes (-), periods (.), spaces ( ), colon(:) and slashes (/).`,
    );
  if (!isPathOfItself(key))
    throw invalid(
      `${wrong} Names may be treated as files in certain cases, and must not resolve to other names when treated as such. This name would resolve to '${asPath(key)}'`,
    );
}

/** `key` and `value` of a call, or of an entry of its `tags`. */
export function readTag(sent: Arguments, at = ''): Tag {
  const key = sent.text('key') ?? '';
  checkTagKey(key, `${at}key`);
  const value = sent.text('value') ?? '';
  if (value.length > LONGEST_TAG_VALUE) throw tooLong('value', LONGEST_TAG_VALUE);
  return { key, value };
}

/** The tags of something new; of several with one key the last counts. */
export function readTags(sent: Arguments): readonly Tag[] {
  const list = sent.list('tags') ?? [];
  if (list.length > MOST_TAGS) throw tooMany(list.length);
  return list.reduce<readonly Tag[]>((tags, each, index) => withTag(tags, readTag(each, `tags[${index}].`)), []);
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
  if (alias.length > LONGEST_ALIAS) throw tooLong('Registered model alias name', LONGEST_ALIAS);
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
