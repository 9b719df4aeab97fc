import { type Context, createContext, runInContext } from 'node:vm';
import { processTime } from '../../../../kernel/time/index.ts';

const LONGEST_VALUE = 4096;
/** Far more than any sensible pattern needs. */
const TIME_LIMIT_MS = 100;
/** A policy may have a thousand patterns, and matching blocks all other requests. */
const TIME_LIMIT_OF_ALL_MS = 300;

/**
 * The patterns of one request. A pattern can take exponential time, so all of them share a time limit, however many clusters they are
 * applied to. A pattern that exceeds it does not match, and is not tried again.
 */
export class Patterns {
  #left = TIME_LIMIT_OF_ALL_MS;
  #context: Context | undefined;
  readonly #slow = new Set<string>();

  /** Whether a pattern matches a complete value. */
  match(pattern: string, value: string): boolean {
    if (value.length > LONGEST_VALUE || this.#left < 1 || this.#slow.has(pattern)) return false;
    this.#context ??= createContext({});
    Object.assign(this.#context, { expression: new RegExp(`^(?:${pattern})$`), value });
    const startedAt = processTime();
    try {
      const timeout = Math.ceil(Math.min(TIME_LIMIT_MS, this.#left));
      return runInContext('expression.test(value)', this.#context, { timeout }) === true;
    } catch {
      this.#slow.add(pattern);
      return false;
    } finally {
      this.#left -= processTime() - startedAt;
    }
  }
}
