import { vi } from 'vitest';
import type { Publication } from '../../../../src/services/events/event.ts';

/** What reaches the point where events are matched: a test file mocks `accept.ts` by `recording`, which hands everything on. */
export const published: Publication[] = [];

export const recording = async (
  original: () => Promise<typeof import('../../../../src/services/events/accept.ts')>,
) => {
  const real = await original();
  return {
    ...real,
    acceptEvents: vi.fn<typeof real.acceptEvents>(async (tx, jar, publications) => {
      await real.acceptEvents(tx, jar, publications);
      tx.afterCommit(() => published.push(...publications));
    }),
  };
};

/** What was published since the last time. */
export const taken = (): Publication[] => published.splice(0);
