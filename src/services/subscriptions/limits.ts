import type { BucketLimit } from '../../kernel/limits/index.ts';

/** Creations have a rate limit of their own; the real limit is not published. */
export const CREATIONS: BucketLimit = {
  kind: 'bucket',
  name: 'subscriptions.creations',
  title: 'Subscriptions that one caller creates',
  scope: ['tenant', 'principal'],
  unit: 'subscriptions',
  size: 20,
  refillPerSecond: 0.1,
  incidental: true,
};
