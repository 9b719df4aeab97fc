import type { DeliveryPolicy } from '../../../src/kernel/delivery/index.ts';

export const DESTINATIONS = 5;

/** Tries again at once and for ever, so that what is lost is lost by a crash. */
export const CRASH_POLICY: DeliveryPolicy = {
  name: 'crash.test',
  service: 'test',
  schedule: [10],
  concurrency: 4,
  timeoutMs: 2000,
};
