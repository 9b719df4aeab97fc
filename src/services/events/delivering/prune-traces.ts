import type { Jar } from '../../../kernel/service/jar.ts';
import { pruneTraces as prune } from '../../../kernel/traces/prune.ts';
import { handleWork } from '../../../kernel/work/kind.ts';
import { tracePages } from '../collections.ts';
import { PRUNE_TRACES } from './work.ts';

export const pruneTraces = handleWork(PRUNE_TRACES, (item, { store }: Jar, halt) =>
  prune(store, tracePages, item.payload.kept, halt),
);
