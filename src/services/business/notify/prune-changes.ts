import { pruneOldest, pruneTraces } from '../../../kernel/traces/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import type { BusinessJar } from '../jar.ts';
import { changeTraces, windowEnds } from './collections.ts';
import { PRUNE_CHANGES } from './work.ts';

/** Removes the oldest traces beyond the configured number, and the outcomes of the windows that they name. */
export const pruneChanges = workHandler(PRUNE_CHANGES, async ({ payload: { kept } }, { store }: BusinessJar, halt) => {
  await pruneTraces(store, changeTraces, kept, halt);
  await pruneOldest(store, windowEnds, kept, () => 1, halt);
});
