import { problems } from './problem.ts';

/** Maximum length of a text: a short statement could request gigabytes. */
export const MOST_CHARACTERS = 1_000_000;

export function boundedText(parts: readonly string[]): string {
  if (parts.reduce((sum, part) => sum + part.length, 0) > MOST_CHARACTERS)
    throw problems.tooMuch(`a text would have more than ${MOST_CHARACTERS} characters`);
  return parts.join('');
}
