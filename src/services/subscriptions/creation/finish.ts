import {
  endOperation,
  recordOutcome,
  type Subscription,
  subscriptionPath,
  subscriptions,
} from '../../../kernel/arm/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { aliases, type Creation, creations, type Progress } from '../collections.ts';
import { placeFor } from '../groups.ts';
import type { SubscriptionsJar } from '../jar.ts';
import { managementGroupId } from '../names.ts';
import { makeOwner } from '../roles.ts';

/** Puts the subscription into the gateway, or says why there will be none. */
export async function finishCreation(tx: Tx, jar: SubscriptionsJar, creation: Creation): Promise<void> {
  const { tenantId, ownerId, subscriptionId, acceptance, requested } = creation;
  const asked = acceptance ? acceptance.managementGroup : requested.managementGroup;
  const place = await placeFor(tx, tenantId, asked);
  if (place === 'gone') {
    const message = `The management group '${managementGroupId(asked ?? '')}' is not there any more.`;
    await endCreation(tx, jar, creation, { ...failed(creation), error: { code: 'InvalidManagementGroupId', message } });
    return;
  }
  await tx.put(subscriptions, subscriptionId, { ...subscriptionOf(jar, creation), ...place });
  await makeOwner(tx, ownerId, subscriptionId);
  await endCreation(tx, jar, creation, {
    provisioningState: 'Succeeded',
    ...(acceptance && { acceptOwnershipState: 'Completed' as const }),
  });
}

/** Like a seeded one: every provider is registered. */
function subscriptionOf({ providers }: SubscriptionsJar, creation: Creation): Subscription {
  const { subscriptionId, tenantId, quotaId, requested, acceptance } = creation;
  const registered = providers.map(({ namespace }) => [namespace.toLowerCase(), 'Registered' as const] as const);
  return {
    subscriptionId,
    tenantId,
    displayName: acceptance?.displayName ?? requested.displayName,
    state: 'Enabled',
    tags: acceptance?.tags ?? requested.tags ?? {},
    quotaId,
    spendingLimit: 'Off',
    registrations: Object.fromEntries(registered),
  };
}

const failed = ({ acceptOwnershipState }: Creation): Progress => ({
  provisioningState: 'Failed',
  ...(acceptOwnershipState && { acceptOwnershipState }),
});

/** The last step, whatever it is: state, change records and the operation of the owner end together. */
export async function endCreation(tx: Tx, jar: SubscriptionsJar, creation: Creation, end: Progress): Promise<void> {
  await saveProgress(tx, creation, end);
  const now = jar.clock.now();
  const { acceptance, origin, subscriptionId } = creation;
  const outcome = end.error ? 'Failed' : 'Succeeded';
  await recordOutcome(tx, origin, now, outcome, end.error);
  if (!acceptance) return;
  await recordOutcome(tx, acceptance.origin, now, outcome, end.error);
  const result = { subscriptionLink: subscriptionPath(subscriptionId) };
  await endOperation(
    tx,
    acceptance.operation,
    { status: outcome, result, ...(end.error && { error: end.error }) },
    now,
  );
}

/** Of the creation, and of its alias as long as that is there and for this creation. */
export async function saveProgress(tx: Tx, creation: Creation, progress: Progress): Promise<void> {
  await tx.put(creations, creation.subscriptionId, { ...creation, ...progress });
  const alias = (await tx.get(aliases, creation.alias))?.value;
  if (alias?.subscriptionId === creation.subscriptionId) await tx.put(aliases, creation.alias, { ...alias, progress });
}
