import type { DeliveryPolicy } from '../../../src/kernel/delivery/index.ts';

export const DESTINATIONS = 5;

/** Retries at once and without limit, so that only a crash can lose a delivery. */
export const CRASH_POLICY: DeliveryPolicy = {
  name: 'crash.test',
  service: 'test',
  schedule: [10],
  concurrency: 4,
  timeoutMs: 2000,
};
