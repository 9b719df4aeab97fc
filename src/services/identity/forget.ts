import type { Jar } from '../../kernel/service/index.ts';
import type { Collection } from '../../kernel/store/index.ts';
import { handleWork } from '../../kernel/work/index.ts';
import { EXPIRING, type Expiring, FORGET } from './collections.ts';

/** One that was renewed in the meantime stays. */
export const forget = handleWork(FORGET, async (item, { store, clock }: Jar) => {
  const { from, key } = item.payload;
  const expiring: Collection<Expiring> | undefined = EXPIRING[from];
  const now = clock.now();
  await store.transact(async (tx) => {
    const found = expiring && (await tx.get(expiring, key));
    if (expiring && found && found.value.expiresAt <= now) await tx.delete(expiring, key);
    await tx.complete(item);
  });
});
