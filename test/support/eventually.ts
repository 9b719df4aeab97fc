import { vi } from 'vitest';

/** `vi.waitFor` with a longer timeout for busy machines; its default is one second. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 120_000, interval: 20 });
}
