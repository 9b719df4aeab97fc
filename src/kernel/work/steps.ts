import type { Clock } from '../clock/types.ts';
import type { Store, WorkItem } from '../store/types.ts';
import { settle } from './settle.ts';

/** Does a part of the work in a transaction of its own, so that it survives a crash; returns true while there is more. */
export type Step = () => Promise<boolean>;

/**
 * Runs the steps of a long task, each repeated until nothing is left. When all work must stop (`halt`), the item is put back as due: the
 * task continues later with the rest, and this does not count as a failure.
 */
export async function runInSteps(
  item: WorkItem<unknown>,
  { store, clock }: { readonly store: Pick<Store, 'transact'>; readonly clock: Pick<Clock, 'now'> },
  halt: AbortSignal,
  steps: Iterable<Step> | AsyncIterable<Step>,
): Promise<void> {
  for await (const step of steps) {
    do {
      if (halt.aborted) return settle(store, item, async () => clock.now());
    } while (await step());
  }
}
