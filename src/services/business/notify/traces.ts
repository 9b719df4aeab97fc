import { DeliveryIds } from '../../../kernel/delivery/ids.ts';
import type { Jar } from '../../../kernel/jar-context.ts';
import type { Tx } from '../../../kernel/store/types.ts';
import { settingsOf } from '../settings.ts';
import { type ChangeTrace, changeTraces } from './collections.ts';
import { PRUNE_CHANGES } from './work.ts';

/** What became of every change: the newest are kept, so that "why was I not told" has an answer. */

export const DEFAULT_TRACES = 10_000;
/** Traces above the number that is kept are removed after as many new ones, or this many: all that are kept are read for it. */
const PRUNED_EVERY = 1000;
const MOST_ON_A_PAGE = 100;

interface Noting {
  readonly ids: DeliveryIds;
  readonly kept: number;
  /** Since the last look for those that are too many. */
  count: number;
}

const noting = new WeakMap<Jar, Noting>();

function notingOf(jar: Jar): Noting {
  let known = noting.get(jar);
  if (!known) {
    known = { ids: new DeliveryIds(jar.clock), kept: settingsOf(jar).changeTraces ?? DEFAULT_TRACES, count: 0 };
    noting.set(jar, known);
  }
  return known;
}

/** Of a large transaction the last ones are kept, which push out all others anyway. */
export async function noteChanges(tx: Tx, jar: Jar, traces: readonly ChangeTrace[]): Promise<void> {
  const note = notingOf(jar);
  if (note.kept === 0 || traces.length === 0) return;
  const kept = traces.slice(-note.kept);
  for (let from = 0; from < kept.length; from += MOST_ON_A_PAGE) {
    await tx.put(changeTraces, note.ids.next(), { traces: kept.slice(from, from + MOST_ON_A_PAGE) });
  }
  note.count += kept.length;
  if (note.count < Math.max(PRUNED_EVERY, note.kept)) return;
  note.count = 0;
  await tx.wake({ id: PRUNE_CHANGES, kind: PRUNE_CHANGES, dueAt: jar.clock.now(), payload: { kept: note.kept } });
}
