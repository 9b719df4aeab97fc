import type { Limit, WindowLimit } from '../../kernel/limits/index.ts';
import { MINUTE_MS } from '../../kernel/time/index.ts';

/** Wrong credentials, by the address they come from. Past these, wrong ones from there are refused with a time to wait; right ones pass. */

const wrong = { kind: 'window', window: 'fixed', windowMs: 5 * MINUTE_MS, unit: 'attempts' } as const;

export const WRONG_PASSWORDS: WindowLimit = {
  ...wrong,
  name: 'identity.wrong-passwords',
  title: 'Wrong passwords for one user from one address in five minutes',
  limit: 10,
  scope: ['user', 'source'],
};

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
  title: 'Wrong client secrets from one address in five minutes',
  limit: 100,
  scope: ['source'],
};

export const IDENTITY_LIMITS: readonly Limit[] = [WRONG_PASSWORDS, WRONG_PASSWORDS_OF_AN_ADDRESS, WRONG_SECRETS];
