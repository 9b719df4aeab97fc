import { afterAll, expect, vi } from 'vitest';
import { trustNobody } from './trust.ts';
import { dropUsedDatabases } from './used-databases.ts';

/**
 * Files share a process, so each has to leave it as it was found: a file that does not fails here, rather than one that happens to run after
 * it. Runs once for every file.
 */
const before = state();

// Registered before those of the file itself, and so the last to run.
afterAll(async () => {
  trustNobody();
  await dropUsedDatabases();
  expect(vi.isFakeTimers(), 'the timers of this process are faked').toBe(false);
  expect(state(), 'left behind in the process').toEqual(before);
});

function state() {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  return {
    directory: process.cwd(),
    environment: env,
    signals: ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => [signal, process.listenerCount(signal)]),
    // Not `exit`: libraries listen for it once they are loaded, by whichever file is the first.
    listeners: ['beforeExit', 'uncaughtException', 'unhandledRejection'].map((event) => [
      event,
      process.listenerCount(event),
    ]),
    exitCode: process.exitCode,
    // Some libraries replace or extend what the language has.
    dates: [String(Date.parse), Reflect.ownKeys(Date).length, Reflect.ownKeys(Date.prototype).length],
  };
}
