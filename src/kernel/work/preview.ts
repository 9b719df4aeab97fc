import { assertMovable } from '../clock/clock.ts';
import type { JarClock } from '../clock/types.ts';
import type { DueWork } from '../store/due-work.ts';
import type { Store } from '../store/types.ts';
import { type AdvanceTarget, readTarget } from './target.ts';
import type { Worker } from './worker.ts';

/** The work that an advance would run, as far as it is known now. */
export interface AdvancePreview extends DueWork {
  readonly from: number;
  readonly to: number;
  readonly total: number;
}

export interface PreviewOptions {
  readonly store: Store;
  readonly clock: JarClock;
  readonly worker: Pick<Worker, 'kinds'>;
}

/** Counts the work that is due until the target, and lists the first `limit` items. Work that has no handler here never runs. */
export async function previewAdvance(
  to: AdvanceTarget,
  limit: number,
  { store, clock, worker }: PreviewOptions,
): Promise<AdvancePreview> {
  assertMovable(clock);
  const timeFrom = readTarget(to);
  await clock.refresh();
  const from = clock.now();
  const until = timeFrom(from);
  const due = await store.work.due({ kinds: worker.kinds, until, limit });
  return { from, to: until, total: due.counts.reduce((sum, { count }) => sum + count, 0), ...due };
}
