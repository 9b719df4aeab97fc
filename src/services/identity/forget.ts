import type { Jar } from '../../kernel/service/index.ts';
import type { Collection } from '../../kernel/store/index.ts';
import { settle, workHandler } from '../../kernel/work/index.ts';
import { EXPIRING, type Expiring, FORGET } from './collections.ts';

/** Keeps a document that was renewed in the meantime, or that is still valid by the system clock. */
export const forget = workHandler(FORGET, async (item, { store, lifetimes }: Jar) => {
  const { from, key } = item.payload;
  const expiring: Collection<Expiring> | undefined = EXPIRING[from];
  await settle(store, item, async (tx) => {
    const found = expiring && (await tx.get(expiring, key));
    if (!expiring || !found) return undefined;
    const nextLook = lifetimes.nextLook(found.value);
    if (nextLook === undefined) await tx.delete(expiring, key);
    return nextLook;
  });
});
