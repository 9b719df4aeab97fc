import type { Tx } from '../../../kernel/store/index.ts';
import { type SubscriptionEnd, windowEnds } from './collections.ts';

/** Changes the recorded outcomes of single subscriptions of a window. Does nothing if no outcome is kept. */
export async function amendEnds(
  tx: Tx,
  window: string,
  ids: Iterable<string>,
  amend: (end: SubscriptionEnd) => SubscriptionEnd,
): Promise<void> {
  const stored = await tx.get(windowEnds, window);
  if (stored?.value.is !== 'closed') return;
  const ends: Record<string, SubscriptionEnd> = { ...stored.value.subscriptions };
  for (const id of ids) if (ends[id]) ends[id] = amend(ends[id]);
  await tx.put(windowEnds, window, { ...stored.value, subscriptions: ends });
}

/** Why a flow is not notified of too many changes. */
export const FLOW_AND_COLLECTION = 'the flow is not triggered: its connector cannot process collection notifications';
