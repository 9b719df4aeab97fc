import type { Tx } from '../../../kernel/store/index.ts';
import type { Settings } from '../settings.ts';
import { type Subscription, subscriptionKey, subscriptions } from '../webhooks/collection.ts';
import type { QueuedEntry, SubscriptionEnd } from './collections.ts';
import { mergeEntries } from './merge-entries.ts';
import { thresholdFor } from './thresholds.ts';
import { amendEnds, FLOW_AND_COLLECTION } from './window-ends.ts';

interface Pending {
  readonly tenantId: string;
  /** In order of arrival. */
  readonly all: readonly QueuedEntry[];
  /** Windows of the entries, the newest last. */
  readonly windows: readonly string[];
}

/** Merges everything that is pending for an address into one message, and corrects the recorded outcomes of its windows. */
export async function mergePending(
  tx: Tx,
  settings: Settings,
  { tenantId, all, windows }: Pending,
): Promise<readonly QueuedEntry[]> {
  const known = new Map<string, Subscription>();
  for (const id of new Set(all.map(({ subscriptionId }) => subscriptionId))) {
    const stored = await tx.get(subscriptions, subscriptionKey(tenantId, id), 'none');
    if (stored) known.set(id, stored.value);
  }
  const { entries, gathered, coalesced } = mergeEntries(all, (id) => {
    const subscription = known.get(id);
    if (!subscription) return undefined;
    const { resource, target } = subscription;
    return { ...thresholdFor(settings, target), resource, showsLastModified: target.showsLastModified };
  });
  const flows = gathered.filter((id) => known.get(id)?.flow);
  const amend = async (of: readonly string[], ids: readonly string[], more: Partial<SubscriptionEnd>) => {
    if (ids.length > 0) for (const window of of) await amendEnds(tx, window, ids, (end) => ({ ...end, ...more }));
  };
  await amend(windows, gathered, { isCollection: true });
  await amend(windows, flows, { left: FLOW_AND_COLLECTION });
  for (const [id, merged] of coalesced) await amend(windows.slice(-1), [id], { merged });
  return entries.filter(({ subscriptionId }) => !flows.includes(subscriptionId));
}
