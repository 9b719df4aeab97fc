import { vi } from 'vitest';
import type { Publication } from '../../../../src/services/events/event.ts';

/** Records what reaches matching: a test file mocks `accept.ts` by `recording`, which passes everything on. */
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

/** Publications since the last call. */
export const taken = (): Publication[] => published.splice(0);
