import type { WorkHandler } from '../../../kernel/service.ts';
import { pruneTraces as prune } from '../../../kernel/traces/prune.ts';
import { tracePages } from '../collections.ts';

export const pruneTraces: Pick<WorkHandler, 'run'> = {
  run: (item, { store }, halt) => prune(store, tracePages, (item.payload as { kept: number }).kept, halt),
};
