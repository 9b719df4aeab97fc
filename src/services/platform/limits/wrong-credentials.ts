import type { ConcurrencyLimit, Limit, WindowLimit } from '../../../kernel/limits/index.ts';
import { MINUTE_MS } from '../../../kernel/time/index.ts';

/**
 * Limits on wrong credentials: beyond these, wrong credentials from the same address get 429 for a while. The numbers are ours; the real
 * service publishes none.
 */

const wrong = { kind: 'window', window: 'fixed', windowMs: 5 * MINUTE_MS, limit: 100, unit: 'attempts' } as const;

/** Unknown access tokens. A valid token always passes, since 128 random bits cannot be guessed. */
export const WRONG_TOKENS: WindowLimit = {
  ...wrong,
  name: 'platform.wrong-tokens',
  title: 'Attempts with unknown access tokens from one address in five minutes',
  scope: ['source'],
};

/**
 * Secrets of applications of the directory are chosen by people and may be guessed: beyond this limit no secret is compared, not even a
 * correct one.
 */
export const WRONG_SECRETS: WindowLimit = {
  ...wrong,
  name: 'platform.wrong-secrets',
  title: 'Wrong secrets for one service principal from one address in five minutes',
  scope: ['application', 'source'],
};

export const SECRETS_AT_ONCE: ConcurrencyLimit = {
  kind: 'concurrency',
  name: 'platform.secrets-at-once',
  title: 'Secrets for one service principal from one address that are being compared',
  limit: 1000,
  unit: 'attempts',
  scope: ['application', 'source'],
  incidental: true,
};

/** Wrong secrets and grants, for any client. */
export const WRONG_GRANTS: WindowLimit = {
  ...wrong,
  name: 'platform.wrong-grants',
  title: 'Wrong secrets, codes and refresh tokens from one address in five minutes',
  scope: ['source'],
};

export const WRONG_CREDENTIAL_LIMITS: readonly Limit[] = [WRONG_TOKENS, WRONG_SECRETS, SECRETS_AT_ONCE, WRONG_GRANTS];
