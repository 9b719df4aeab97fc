import type { ConcurrencyLimit, Limit, WindowLimit } from '../../kernel/limits/index.ts';
import { MINUTE_MS } from '../../kernel/time/index.ts';

/**
 * Limits for wrong credentials, per account and source address. Above the limit, further credentials are rejected without comparison for a
 * while.
 */

const wrong = { kind: 'window', window: 'fixed', windowMs: 5 * MINUTE_MS, unit: 'attempts' } as const;

export const WRONG_PASSWORDS: WindowLimit = {
  ...wrong,
  name: 'identity.wrong-passwords',
  title: 'Wrong passwords for one user from one address in five minutes',
  limit: 10,
  scope: ['user', 'source'],
};

export const PASSWORDS_AT_ONCE: ConcurrencyLimit = {
  kind: 'concurrency',
  name: 'identity.passwords-at-once',
  title: 'Passwords for one user from one address that are being compared',
  limit: 10,
  unit: 'attempts',
  scope: ['user', 'source'],
  incidental: true,
};

/** Above this limit wrong passwords get 429 and correct ones are accepted, because many users may share an address. */
export const WRONG_PASSWORDS_OF_AN_ADDRESS: WindowLimit = {
  ...wrong,
  name: 'identity.wrong-passwords-of-an-address',
  title: 'Wrong passwords for any user from one address in five minutes',
  limit: 100,
  scope: ['source'],
};

export const WRONG_SECRETS: WindowLimit = {
  ...wrong,
  name: 'identity.wrong-secrets',
  title: 'Wrong secrets for one application from one address in five minutes',
  limit: 100,
  scope: ['application', 'source'],
};

export const SECRETS_AT_ONCE: ConcurrencyLimit = {
  kind: 'concurrency',
  name: 'identity.secrets-at-once',
  title: 'Secrets for one application from one address that are being compared',
  limit: 1000,
  unit: 'attempts',
  scope: ['application', 'source'],
  incidental: true,
};

/** Device codes are issued to anonymous callers and stored for a while. */
export const DEVICE_CODES: WindowLimit = {
  kind: 'window',
  window: 'fixed',
  windowMs: 5 * MINUTE_MS,
  unit: 'codes',
  name: 'identity.device-codes',
  title: 'Device codes requested from one address in five minutes',
  limit: 1000,
  scope: ['source'],
};

export const IDENTITY_LIMITS: readonly Limit[] = [
  WRONG_PASSWORDS,
  PASSWORDS_AT_ONCE,
  WRONG_PASSWORDS_OF_AN_ADDRESS,
  WRONG_SECRETS,
  SECRETS_AT_ONCE,
  DEVICE_CODES,
];
