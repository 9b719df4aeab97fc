import { defineConfig } from 'vitest/config';

/** Services whose tests leave nothing behind in their process: they share one, and with it all that is loaded. */
const SHARING = ['business', 'lifecycle', 'resources', 'translator'].map(
  (service) => `test/services/${service}/**/*.test.ts`,
);

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/transaction-guard.ts'],
    // A transaction that awaits anything but the store fails.
    env: { CLOUDJAR_TRANSACTION_GUARD: '1' },
    // Processes rather than threads: a test may change its directory, send itself signals and open many stores.
    pool: 'forks',
    maxWorkers: 2,
    // Bounds for a slow machine with a busy disk; no test is meant to come near them.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    reporters: ['default', './test/support/no-skips.ts'],
    projects: [
      { extends: true, test: { name: 'sharing', include: SHARING, isolate: false } },
      { extends: true, test: { name: 'apart', include: ['test/**/*.test.ts'], exclude: SHARING } },
    ],
  },
});
