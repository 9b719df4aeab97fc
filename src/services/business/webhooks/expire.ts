import type { LegacyWork } from '../../../kernel/whole-service.ts';
import { subscriptions } from './collection.ts';
import { removeSubscription } from './remove.ts';

/** Nobody has renewed it in time. */
export const expire: Pick<LegacyWork, 'run'> = {
  async run(item, jar) {
    const { key } = item.payload as { key: string };
    await jar.store.transact(async (tx) => {
      const stored = await tx.get(subscriptions, key);
      await tx.complete(item);
      const at = jar.clock.now();
      if (!stored || stored.value.expiresAt > at) return;
      const detail = `It was not renewed before ${new Date(stored.value.expiresAt).toISOString()}.`;
      await removeSubscription(tx, jar, stored, { reason: 'expired', detail, at });
    });
  },
};
