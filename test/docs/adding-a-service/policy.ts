import type { DeliveryPolicy } from '../../../src/kernel/delivery/index.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/time/index.ts';
import { rings } from './collections.ts';
import type { BellsJar } from './jar.ts';

/** Reports a ring to the webhook of its bell. */
export const bellWebhook: DeliveryPolicy<BellsJar> = {
  name: 'bells.webhook',
  service: 'bells',
  schedule: [10 * SECOND_MS, MINUTE_MS],
  maxAttempts: 5,
  timeToLiveMs: HOUR_MS,
  async ended(tx, deliveries, { cause }) {
    for (const { id } of deliveries) {
      const ring = (await tx.get(rings, id))?.value;
      if (ring) await tx.put(rings, id, { ...ring, outcome: cause });
    }
    return undefined;
  },
};
