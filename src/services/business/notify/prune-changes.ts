import { pruneOldest, pruneTraces } from '../../../kernel/traces/prune.ts';
import type { LegacyWork } from '../../../kernel/whole-service.ts';
import { changeTraces, windowEnds } from './collections.ts';

/** Removes traces, and what became of the windows that they name, beyond as many as are kept. */
export const pruneChanges: Pick<LegacyWork, 'run'> = {
  async run(item, { store }, halt) {
    const { kept } = item.payload as { kept: number };
    await pruneTraces(store, changeTraces, kept, halt);
    await pruneOldest(store, windowEnds, kept, () => 1, halt);
  },
};
