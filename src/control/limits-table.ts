import type { Limit, WindowLimit } from '../kernel/limits/index.ts';
import { MINUTE_MS } from '../kernel/time/index.ts';
import { NEW_INBOXES } from './inbox/bounds.ts';

/** Wrong admin keys, per source address. Above the limit, wrong keys from there get 429; the correct key is still accepted. */
export const WRONG_KEYS: WindowLimit = {
  kind: 'window',
  window: 'fixed',
  name: 'control.wrong-keys',
  title: 'Wrong admin keys from one address in five minutes',
  limit: 100,
  windowMs: 5 * MINUTE_MS,
  unit: 'attempts',
  scope: ['source'],
};

export const CONTROL_LIMITS: readonly Limit[] = [WRONG_KEYS, NEW_INBOXES];
