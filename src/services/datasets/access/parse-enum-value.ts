import { oneMistake } from '../model/mistakes.ts';

/** The API matches enum values case-insensitively. */
export function parseEnumValue<const W extends string>(value: string, words: readonly W[], target: string): W {
  const lower = value.toLowerCase();
  const word = words.find((each) => each.toLowerCase() === lower);
  if (word === undefined)
    throw oneMistake(target, `'${target}' must be one of ${words.join(', ')}; '${value.slice(0, 100)}' is not.`);
  return word;
}
