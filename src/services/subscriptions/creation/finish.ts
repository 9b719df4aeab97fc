import {
  endOperation,
  type Operation,
  recordOutcome,
  type Subscription,
  subscriptionPath,
  subscriptions,
} from '../../../kernel/arm/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { type Acceptance, aliases, type Creation, creations, type Progress } from '../collections.ts';
import { placeFor } from '../groups.ts';
import type { SubscriptionsJar } from '../jar.ts';
import { managementGroupId } from '../names.ts';
import { makeOwner } from '../roles.ts';
import { ADVANCE_CREATION, expiryWorkId } from '../work.ts';

/** Creates the subscription in the gateway, or fails the creation. */
export async function finishCreation(tx: Tx, jar: SubscriptionsJar, creation: Creation): Promise<void> {
  const { tenantId, ownerId, subscriptionId, acceptance, requested } = creation;
  const asked = acceptance?.managementGroup ?? requested.managementGroup;
  const place = await placeFor(tx, tenantId, asked);
  if (place === 'gone') return withoutGroup(tx, jar, creation, asked ?? '');
  await tx.put(subscriptions, subscriptionId, { ...subscriptionOf(jar, creation), ...place });
  await makeOwner(tx, ownerId, subscriptionId);
  if (acceptance) {
    const result = { subscriptionLink: subscriptionPath(subscriptionId) };
    await endAcceptance(tx, jar, acceptance, { status: 'Succeeded', result });
  }
  const accepted = acceptance && ({ acceptOwnershipState: 'Completed' } as const);
  await endCreation(tx, jar, creation, { provisioningState: 'Succeeded', ...accepted });
}

/** As in a seeded subscription, every provider is registered. */
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

/** Called if the management group was deleted in the meantime. An owner who had chosen it can choose another one. */
async function withoutGroup(tx: Tx, jar: SubscriptionsJar, creation: Creation, group: string): Promise<void> {
  const { acceptance, ...waiting } = creation;
  const message = `The management group '${managementGroupId(group)}' no longer exists.`;
  const error = { code: 'InvalidManagementGroupId', message };
  if (!acceptance) return endCreation(tx, jar, creation, { provisioningState: 'Failed', error });
  await endAcceptance(tx, jar, acceptance, { status: 'Failed', error });
  await waitForOwner(tx, waiting);
}

/** Waits until the owner accepts or the offer expires. */
export async function waitForOwner(tx: Tx, creation: Creation): Promise<void> {
  const { subscriptionId, expiresAt = 0 } = creation;
  await saveProgress(tx, creation, { provisioningState: 'Pending', acceptOwnershipState: 'Pending' });
  await tx.schedule(ADVANCE_CREATION.at(expiresAt, { subscriptionId }, expiryWorkId(subscriptionId)));
}

/** Stores the final state and writes the change record of the request. */
export async function endCreation(tx: Tx, jar: SubscriptionsJar, creation: Creation, end: Progress): Promise<void> {
  await saveProgress(tx, creation, end);
  await recordOutcome(tx, creation.origin, jar.clock.now(), end.error ? 'Failed' : 'Succeeded', end.error);
}

async function endAcceptance(
  tx: Tx,
  jar: SubscriptionsJar,
  { operation, origin }: Acceptance,
  end: Pick<Operation, 'result' | 'error'> & { readonly status: 'Succeeded' | 'Failed' },
): Promise<void> {
  const now = jar.clock.now();
  await endOperation(tx, operation, end, now);
  await recordOutcome(tx, origin, now, end.status, end.error);
}

/** Updates the creation, and its alias if the alias still exists and still refers to this creation. */
async function saveProgress(tx: Tx, creation: Creation, progress: Progress): Promise<void> {
  await tx.put(creations, creation.subscriptionId, { ...creation, ...progress });
  const alias = (await tx.get(aliases, creation.alias))?.value;
  if (alias?.subscriptionId === creation.subscriptionId) await tx.put(aliases, creation.alias, { ...alias, progress });
}
