import { pruneTraces as prune } from '../../../kernel/traces/prune.ts';
import type { LegacyWork } from '../../../kernel/whole-service.ts';
import { tracePages } from '../collections.ts';

export const pruneTraces: Pick<LegacyWork, 'run'> = {
  run: (item, { store }, halt) => prune(store, tracePages, (item.payload as { kept: number }).kept, halt),
};
