import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/**
 * Files with a process of their own, and why. All others share one per worker, since loading the jar costs more than most of them do: they
 * leave nothing behind in it, which `test/support/leave-nothing-behind.ts` sees to.
 */
const APART: Readonly<Record<string, string>> = {
  'test/services/events/publish/admission.test.ts': 'mocks a module of the service',
  'test/services/events/publish/clients.test.ts': 'mocks a module of the service',
  'test/services/events/publish/hosts.test.ts': 'mocks a module of the service',
  'test/services/events/publish/whole.test.ts': 'mocks a module of the service',
  'test/services/identity/absent-user.test.ts': 'mocks node:crypto',
};

/** Long by nature: for `npm run test:long` alone. */
const LONG = process.env.CLOUDJAR_SOAK === '1' ? [] : ['test/**/*.long.test.ts'];

for (const file of Object.keys(APART)) if (!existsSync(file)) throw new Error(`vitest.config.ts: there is no ${file}`);

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/leave-nothing-behind.ts', 'test/support/transaction-guard.ts'],
    // A transaction that awaits anything but the store fails.
    env: { CLOUDJAR_TRANSACTION_GUARD: '1' },
    // Processes rather than threads: a test may change its directory, send itself signals and open many stores.
    pool: 'forks',
    // About a third of a file's time goes by waiting: for containers, brokers, browsers and for programs that are to be killed.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    // Bounds for a slow machine with a busy disk; no test is meant to come near them.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 30_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    reporters: ['default', './test/support/no-skips.ts', './test/support/slowest-files.ts'],
    projects: [
      { extends: true, test: { name: 'apart', include: Object.keys(APART) } },
      {
        extends: true,
        test: {
          name: 'sharing',
          include: ['test/**/*.test.ts'],
          exclude: [...Object.keys(APART), ...LONG],
          isolate: false,
        },
      },
    ],
  },
});
