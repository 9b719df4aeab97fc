import { workHandler } from '../../../kernel/work/index.ts';
import type { PlatformJar } from '../jar.ts';
import { schedulePurge } from '../tree/nodes.ts';
import { ABANDON_CHECKOUT } from './work.ts';

/** In one transaction, so that a checkout is either used or removed completely. */
export const abandonCheckout = workHandler(ABANDON_CHECKOUT, (item, jar: PlatformJar) =>
  jar.store.transact(async (tx) => {
    const { tree, inside } = item.payload;
    await schedulePurge(tx, tree, inside, jar.clock.now());
    await tx.complete(item);
  }),
);
