import type { Jar } from '../../../kernel/jar-context.ts';
import { traceNoter } from '../../../kernel/traces/note.ts';
import { settingsOf } from '../settings.ts';
import { changeTraces } from './collections.ts';
import { PRUNE_CHANGES } from './work.ts';

export const DEFAULT_TRACES = 10_000;

const keptBy = (jar: Jar): number => settingsOf(jar).changeTraces ?? DEFAULT_TRACES;

export const keepsTraces = (jar: Jar): boolean => keptBy(jar) > 0;

/** What became of every change: the newest are kept, so that "why was I not told" has an answer. */
export const noteChanges = traceNoter({
  pages: changeTraces,
  pruning: PRUNE_CHANGES,
  kept: keptBy,
});
