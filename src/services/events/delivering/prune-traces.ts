import type { Jar } from '../../../kernel/service/index.ts';
import { pruneTraces as prune } from '../../../kernel/traces/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { tracePages } from '../collections.ts';
import { PRUNE_TRACES } from './work.ts';

export const pruneTraces = workHandler(PRUNE_TRACES, (item, { store }: Jar, halt) =>
  prune(store, tracePages, item.payload.kept, halt),
);
