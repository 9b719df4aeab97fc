import type { ApiError } from '../../../../kernel/http/index.ts';
import { errors } from '../../errors.ts';

/** An error about a long filter shows only its beginning. */
const LONGEST_SHOWN = 500;

export const shown = (text: string): string =>
  text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}…`;

/** The message of the real service, followed by the position of the mistake in the filter: characters are counted from 1. */
export const atCharacter = (text: string, at: number): ApiError =>
  errors.INVALID_PARAMETER_VALUE({ reason: `${text} (at character ${at + 1})` });

export const invalidSearch = (reason: string): ApiError => errors.INVALID_PARAMETER_VALUE({ reason });

export const unparsable = (filter: string, at: number): ApiError =>
  atCharacter(`Error on parsing filter '${shown(filter)}'`, at);

export const quotedSet = (words: Iterable<string>): string =>
  `{${Array.from(words, (word) => `'${word}'`).join(', ')}}`;

export const quotedTuple = (words: Iterable<string>): string =>
  `(${Array.from(words, (word) => `'${word}'`).join(', ')})`;
