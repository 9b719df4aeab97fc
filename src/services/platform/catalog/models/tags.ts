import type { Sent } from '../../engine/sent.ts';
import { errors } from '../../errors.ts';

/** Tags of models and versions, as in the tracking API. */

const MOST_TAGS = 50;
const LONGEST_KEY = 250;
const LONGEST_VALUE = 5000;

export type Tags = Readonly<Record<string, string>>;

function checkedTag(key: string, value: string): readonly [string, string] {
  if (key === '' || key.length > LONGEST_KEY || value.length > LONGEST_VALUE)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: `A tag must have a key of 1 to ${LONGEST_KEY} and a value of at most ${LONGEST_VALUE} characters.`,
    });
  return [key, value];
}

export const tagIn = (sent: Sent): readonly [string, string] => checkedTag(sent.need('key'), sent.text('value') ?? '');

/** The tags in a body's list of `{key, value}`. */
export function tagsIn(sent: Sent): Tags {
  const tags = Object.fromEntries((sent.list('tags') ?? []).map(tagIn));
  return checkedTags(tags);
}

export function checkedTags(tags: Tags): Tags {
  if (Object.keys(tags).length > MOST_TAGS)
    throw errors.INVALID_PARAMETER_VALUE({ reason: `There can be at most ${MOST_TAGS} tags.` });
  return tags;
}

export function withoutTag(tags: Tags, key: string): Tags {
  const { [key]: _, ...rest } = tags;
  return rest;
}
