import { parseDuration } from '../kernel/time/duration.ts';
import { usageError } from './errors.ts';

const EXAMPLES = '90s, 36h, 3d or PT36H';
const BARE_NUMBER = /^[+-]?(\d+(?:\.\d+)?)$/;

/**
 * A duration as it was typed. Looked at before any jar is asked, so that a slip is a mistake of the command line; and a
 * number alone is refused, as whoever types one may mean seconds as well as milliseconds.
 */
export function durationArgument(typed: string): string {
  const text = typed.trim();
  const bare = BARE_NUMBER.exec(text)?.[1];
  if (bare !== undefined) throw usageError(`'${text}' has no unit; write ${bare}ms, ${EXAMPLES}`);
  const ms = millisecondsOf(text);
  if (ms === undefined) throw usageError(`'${text}' is not a duration; write 500ms, ${EXAMPLES}`);
  return text;
}

function millisecondsOf(text: string): number | undefined {
  try {
    return parseDuration(text);
  } catch (error) {
    const { message } = error as Error;
    if (message.includes('is not a duration')) return undefined;
    throw usageError(message, error);
  }
}
