import { createContext, runInContext } from 'node:vm';

const LONGEST_VALUE = 4096;
/** Far more than any sensible pattern takes. */
const TIME_LIMIT_MS = 100;

/**
 * Whether a pattern matches the whole of a value. A pattern can take exponential time, so it runs under a time limit; one that exceeds the limit does
 * not match.
 */
export function matches(pattern: string, value: string): boolean {
  if (value.length > LONGEST_VALUE) return false;
  const context = createContext({ expression: new RegExp(`^(?:${pattern})$`), value });
  try {
    return runInContext('expression.test(value)', context, { timeout: TIME_LIMIT_MS }) === true;
  } catch {
    return false;
  }
}
