import { vi } from 'vitest';

/** `vi.waitFor` with time for a busy machine: by itself it gives up after a second. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 120_000, interval: 20 });
}
