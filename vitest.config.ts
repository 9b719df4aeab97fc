import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Processes rather than threads: a test may change its directory, send itself signals and open many stores.
    pool: 'forks',
    maxWorkers: 2,
    // Bounds for a slow machine with a busy disk; no test is meant to come near them.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    reporters: ['default', './test/support/no-skips.ts'],
  },
});
