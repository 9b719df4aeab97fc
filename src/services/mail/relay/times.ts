import { DAY_MS, MINUTE_MS } from '../../../kernel/time/index.ts';

/** Default time limits. */
export const RELAY_TIMES = {
  /** From the connection to the last reply, including the transfer of a large message. */
  attemptMs: 5 * MINUTE_MS,
  /** For one reply of the relay. */
  answerMs: MINUTE_MS,
  /** By the jar's clock. */
  lifetimeMs: 2 * DAY_MS,
};
