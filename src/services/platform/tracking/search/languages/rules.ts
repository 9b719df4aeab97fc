import { ABSENCE, type EntityRule, type KeyRule, LISTED, NUMERIC, TEXTUAL } from '../language.ts';

/** Rules that several searches share. */

export const number: KeyRule = { value: 'number', operators: NUMERIC };
export const text: KeyRule = { value: 'text', operators: TEXTUAL };
export const listed: KeyRule = { value: 'text', operators: [...TEXTUAL, ...LISTED] };
export const optional: KeyRule = { value: 'text', operators: [...TEXTUAL, ...ABSENCE] };

/** An alias of a key. */
export const alias = (name: string, rule: KeyRule): KeyRule => ({ ...rule, name });

export const tags = (rule: KeyRule): EntityRule => ({ name: 'tag', words: ['tag', 'tags'], keys: rule });

export const itself = (...keys: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(keys.map((key) => [key, key]));
