import type { Limit, WindowLimit } from '../../../kernel/limits/index.ts';
import { MINUTE_MS } from '../../../kernel/time/index.ts';

/**
 * Rate limits that users set on serving endpoints. Each endpoint has its own number, but a declared limit has one number for all scopes.
 * Therefore each call takes a fraction of a common total: with 10 calls per minute, one tenth.
 */

/** Large enough that rounding does not admit an additional call, for up to a million calls per minute. */
export const WHOLE_RATE = 1_000_000_000_000;

const rate = {
  kind: 'window',
  window: 'sliding',
  windowMs: MINUTE_MS,
  limit: WHOLE_RATE,
  unit: `parts of ${WHOLE_RATE}`,
  scope: ['workspace', 'endpoint', 'key', 'principal'],
  fixed: true,
} as const;

export const SERVING_CALLS: WindowLimit = {
  ...rate,
  name: 'platform.serving-calls',
  title: "Calls of a serving endpoint in a minute, as parts of the endpoint's own rate limit",
};

export const SERVING_TOKENS: WindowLimit = {
  ...rate,
  name: 'platform.serving-tokens',
  title: "Tokens of a serving endpoint in a minute, as parts of the endpoint's own rate limit",
};

export const SERVING_RATES: readonly Limit[] = [SERVING_CALLS, SERVING_TOKENS];
