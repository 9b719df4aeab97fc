import type { Jar } from '../../../kernel/service/index.ts';
import { openTraces, type Traces } from '../../../kernel/traces/index.ts';
import { settingsOf } from '../settings.ts';
import { type ChangeTrace, changeTraces } from './collections.ts';
import { PRUNE_CHANGES } from './work.ts';

export const DEFAULT_TRACES = 10_000;

/** Traces: the outcome of every change. The newest are kept, to answer "why was I not notified". */
export const openChangeTraces = (jar: Pick<Jar, 'clock' | 'config'>): Traces<ChangeTrace> =>
  openTraces({
    pages: changeTraces,
    pruning: PRUNE_CHANGES,
    kept: settingsOf(jar).changeTraces ?? DEFAULT_TRACES,
    clock: jar.clock,
  });
