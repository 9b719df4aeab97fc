import { afterAll, expect, vi } from 'vitest';
import { trustNobody } from './trust.ts';
import { dropUsedDatabases } from './used-databases.ts';

/**
 * Files share a process, so each must restore its state: a file that does not fails here, rather than a file that runs after it. Runs once
 * for every file.
 */
const before = state();

// Registered before the hooks of the file, so it runs last.
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
    // Not `exit`: libraries add listeners for it when they are first loaded.
    listeners: ['beforeExit', 'uncaughtException', 'unhandledRejection'].map((event) => [
      event,
      process.listenerCount(event),
    ]),
    exitCode: process.exitCode,
    // Some libraries replace or extend built-ins.
    dates: [String(Date.parse), Reflect.ownKeys(Date).length, Reflect.ownKeys(Date.prototype).length],
  };
}
