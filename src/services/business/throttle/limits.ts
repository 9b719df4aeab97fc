import type { ConcurrencyLimit, Limit, WindowLimit } from '../../../kernel/limits/index.ts';

/** Five minutes, looked back from every request. */
const RATE_WINDOW_MS = 300_000;

/** Applications are counted like people: each has its own count. */
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

/** Those that are worked on and those that wait. */
export const CONNECTIONS: ConcurrencyLimit = {
  ...BY_USER,
  kind: 'concurrency',
  name: 'business.connections',
  title: 'Requests of a user to the business application that have no answer yet',
  limit: 100,
  incidental: true,
};

/** It refuses nobody, it makes them wait, and those they wait for need no clock to end: it counts on every clock. */
export const CONCURRENT: ConcurrencyLimit = {
  ...BY_USER,
  kind: 'concurrency',
  name: 'business.concurrent',
  title: 'Requests of a user that the business application works on at once; more of them wait',
  limit: 5,
};

export const QUEUED: ConcurrencyLimit = {
  ...BY_USER,
  kind: 'concurrency',
  name: 'business.queued',
  title: 'Requests of a user that wait until the business application has room for them',
  limit: 95,
  incidental: true,
};

/** Counted for each batch apart, while it is looked at. */
export const BATCH_ITEMS: ConcurrencyLimit = {
  kind: 'concurrency',
  name: 'business.batch-items',
  title: 'Requests in one batch',
  scope: ['batch'],
  unit: 'requests in the batch',
  limit: 100,
};

export const THROTTLE_LIMITS: readonly Limit[] = [REQUESTS, CONNECTIONS, CONCURRENT, QUEUED, BATCH_ITEMS];
