import { DAY_MS, MINUTE_MS } from '../../../kernel/time/index.ts';

/** How long things take at most, unless the settings say otherwise. */
export const RELAY_TIMES = {
  /** From the connection to the last answer, with a large message in between. */
  attemptMs: 5 * MINUTE_MS,
  /** For one answer of the relay. */
  answerMs: MINUTE_MS,
  /** By the jar's clock. */
  lifetimeMs: 2 * DAY_MS,
};
