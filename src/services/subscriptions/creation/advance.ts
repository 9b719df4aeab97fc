import type { Tx } from '../../../kernel/store/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { type Creation, creations } from '../collections.ts';
import type { SubscriptionsJar } from '../jar.ts';
import { ADVANCE_CREATION } from '../work.ts';
import { endCreation, finishCreation, waitForOwner } from './finish.ts';

/** One step of a creation. Its new state, the effects and the completion of the work item are one transaction. */
export const advanceCreation = workHandler(ADVANCE_CREATION, (item, jar: SubscriptionsJar) =>
  jar.store.transact(async (tx) => {
    const creation = (await tx.get(creations, item.payload.subscriptionId))?.value;
    if (creation) await advance(tx, jar, creation);
    await tx.complete(item);
  }),
);

function advance(tx: Tx, jar: SubscriptionsJar, creation: Creation): Promise<void> | undefined {
  const { provisioningState: state, expiresAt, acceptance } = creation;
  if (state !== 'Accepted' && state !== 'Pending') return undefined;
  if (expiresAt === undefined || acceptance) return finishCreation(tx, jar, creation);
  if (jar.clock.now() >= expiresAt) return expire(tx, jar, creation);
  return state === 'Accepted' ? waitForOwner(tx, creation) : undefined;
}

async function expire(tx: Tx, jar: SubscriptionsJar, creation: Creation): Promise<void> {
  const message = `The owner '${creation.ownerId}' did not accept the subscription in time.`;
  const error = { code: 'OwnershipExpired', message };
  await endCreation(tx, jar, creation, { provisioningState: 'Failed', acceptOwnershipState: 'Expired', error });
}
