import { workHandler } from '../../../kernel/work/index.ts';
import type { BusinessJar } from '../jar.ts';
import { subscriptions } from './collection.ts';
import { removeSubscription } from './remove.ts';
import { EXPIRE } from './work.ts';

/** Removes a subscription that was not renewed in time. */
export const expire = workHandler(EXPIRE, async (item, jar: BusinessJar) => {
  await jar.store.transact(async (tx) => {
    const stored = await tx.get(subscriptions, item.payload.key);
    await tx.complete(item);
    const at = jar.clock.now();
    if (!stored || stored.value.expiresAt > at) return;
    const detail = `It was not renewed before ${new Date(stored.value.expiresAt).toISOString()}.`;
    await removeSubscription(tx, jar, stored, { reason: 'expired', detail, at });
  });
});
