import type { ConcurrencyLimit, Limit, WindowLimit } from '../../../kernel/limits/index.ts';
import { MINUTE_MS } from '../../../kernel/time/index.ts';

/** Wrong credentials: past these, wrong ones from the address get 429 for a while. They are ours; the service publishes no numbers. */

const wrong = { kind: 'window', window: 'fixed', windowMs: 5 * MINUTE_MS, limit: 100, unit: 'attempts' } as const;

/** Unknown access tokens. A right one always passes, since nobody guesses 128 random bits. */
export const WRONG_TOKENS: WindowLimit = {
  ...wrong,
  name: 'platform.wrong-tokens',
  title: 'Attempts with unknown access tokens from one address in five minutes',
  scope: ['source'],
};

/** Secrets of applications of the directory are chosen by people: past this limit none is compared, not even the right one. */
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

/** Wrong secrets and grants for whichever client. */
export const WRONG_GRANTS: WindowLimit = {
  ...wrong,
  name: 'platform.wrong-grants',
  title: 'Wrong secrets, codes and refresh tokens from one address in five minutes',
  scope: ['source'],
};

export const WRONG_CREDENTIAL_LIMITS: readonly Limit[] = [WRONG_TOKENS, WRONG_SECRETS, SECRETS_AT_ONCE, WRONG_GRANTS];
