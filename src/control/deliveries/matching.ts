import { type DeliveryRecord, deliveries } from '../../kernel/delivery/index.ts';
import type { Jar } from '../../kernel/service/index.ts';
import { pagesOf, type Reader, type Stored, type Tx } from '../../kernel/store/index.ts';
import { deliveryErrors } from './errors.ts';
import { type Filters, filterOf } from './select.ts';

/** Deliveries per transaction; other writers get a turn between the transactions. */
const PAGE = 200;

export async function getDelivery(on: Pick<Reader, 'get'>, id: string): Promise<Stored<DeliveryRecord>> {
  const stored = await on.get(deliveries, id);
  if (!stored) throw deliveryErrors.NoSuchDelivery({ id: id.slice(0, 60) });
  return stored;
}

export function refuseUnknownPolicy({ delivery }: Jar, { key, value }: Stored<DeliveryRecord>): void {
  if (delivery.policies.has(value.policy)) return;
  throw deliveryErrors.PolicyUnknown({ id: key, policy: value.policy });
}

/** Applies an action to every matching delivery that existed at the start; returns their number. */
export async function forAllMatching(
  { store, clock }: Jar,
  filters: Filters,
  act: (tx: Tx, stored: Stored<DeliveryRecord>) => Promise<boolean>,
): Promise<number> {
  const filter = filterOf(filters, clock.now());
  const newest = await store.query(deliveries, { filter, order: [{ field: 'key', descending: true }], limit: 1 });
  const last = newest.items[0]?.key;
  let done = 0;
  const query = { filter, order: [{ field: 'key' }], page: PAGE };
  for await (const page of pagesOf(store, deliveries, query)) {
    const keys = page.map((item) => item.key).filter((key) => last !== undefined && key <= last);
    if (keys.length === 0) return done;
    done += await store.transact(async (tx) => {
      let count = 0;
      for (const key of keys) {
        const stored = await tx.get(deliveries, key);
        if (stored && (await act(tx, stored))) count += 1;
      }
      return count;
    });
  }
  return done;
}
