import { parseDuration } from '../kernel/time/duration.ts';

const EXAMPLES = '90s, 36h, 3d or PT36H';
const BARE_NUMBER = /^[+-]?(\d+(?:\.\d+)?)$/;

/**
 * The error message for an invalid duration; undefined if it is valid. Checked before a jar is contacted, so that a typo is a usage error.
 * A bare number is rejected, because the user may mean seconds or milliseconds.
 */
export function durationMistake(typed: string): string | undefined {
  const text = typed.trim();
  const bare = BARE_NUMBER.exec(text)?.[1];
  if (bare !== undefined) return `a duration with its unit, such as ${bare}ms or ${bare}s`;
  if (text.startsWith('-')) return `a positive duration, such as ${EXAMPLES}`;
  try {
    parseDuration(text);
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    return message.includes('is not a duration') ? `a duration such as 500ms, ${EXAMPLES}` : 'at most 100 years';
  }
}
