import type { Jar } from '../../kernel/jar-context.ts';
import type { WorkItem } from '../../kernel/store/types.ts';

/** For work that is stopped halfway as the jar closes: it is taken up again from what is left, and that does not count as a failure. */
export async function goOnLater({ id, kind, payload }: WorkItem, { store, clock }: Jar): Promise<void> {
  await store.transact((tx) => tx.schedule({ id, kind, payload, dueAt: clock.now() }));
}
