import type { ConcurrencyLimit, Limit, WindowLimit } from '../../../kernel/limits/index.ts';

/** Five minutes, sliding. */
const RATE_WINDOW_MS = 300_000;

/** An application has a count of its own, like a user. */
const BY_USER = { scope: ['user'], fixed: true } as const;

export const REQUESTS: WindowLimit = {
  ...BY_USER,
  kind: 'window',
  window: 'sliding',
  name: 'business.requests',
  title: 'Requests of a user to the business application in 5 minutes',
  limit: 6000,
  windowMs: RATE_WINDOW_MS,
  incidental: true,
};

/** Counts running and queued requests. */
export const CONNECTIONS: ConcurrencyLimit = {
  ...BY_USER,
  kind: 'concurrency',
  name: 'business.connections',
  title: 'Running and queued requests of a user to the business application',
  limit: 100,
  incidental: true,
};

/** Requests beyond it are queued, not refused, and running requests end without the clock advancing, so it applies on every clock. */
export const CONCURRENT: ConcurrencyLimit = {
  ...BY_USER,
  kind: 'concurrency',
  name: 'business.concurrent',
  title: 'Concurrent requests of a user to the business application; further ones are queued',
  limit: 5,
};

export const QUEUED: ConcurrencyLimit = {
  ...BY_USER,
  kind: 'concurrency',
  name: 'business.queued',
  title: 'Queued requests of a user to the business application',
  limit: 95,
  incidental: true,
};

/** Counted per batch, while its requests are counted. */
export const BATCH_ITEMS: ConcurrencyLimit = {
  kind: 'concurrency',
  name: 'business.batch-items',
  title: 'Requests in one batch',
  scope: ['batch'],
  unit: 'requests in the batch',
  limit: 100,
};

export const THROTTLE_LIMITS: readonly Limit[] = [REQUESTS, CONNECTIONS, CONCURRENT, QUEUED, BATCH_ITEMS];
