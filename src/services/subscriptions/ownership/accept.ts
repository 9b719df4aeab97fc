import { readBody, type ValueOf } from '../../../kernel/arm/body/index.ts';
import { beginOperation, checkTags, originOf } from '../../../kernel/arm/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { type Acceptance, type Creation, creations } from '../collections.ts';
import { subscriptionErrors } from '../errors.ts';
import { fields, requiredName, tags, wording } from '../fields.ts';
import { askedGroup } from '../groups.ts';
import type { SubscriptionsCall } from '../jar.ts';
import { NAMESPACE } from '../names.ts';
import { checkPolicies } from '../policies/check.ts';
import { ADVANCE_CREATION, expiryWorkId, provisioningWorkId } from '../work.ts';

const { object, text } = fields;

const PROPERTIES = object({ displayName: requiredName(), managementGroupId: text(), tags: tags() }, { implied: true });
export const ACCEPT_BODY = object({ properties: PROPERTIES });

type Accepted = ValueOf<typeof PROPERTIES>;

export function readAcceptance(body: unknown, aliases: readonly string[]): Accepted {
  const reading = readBody(ACCEPT_BODY, body, { context: { aliases }, wording });
  reading.mistakes.throwAny();
  const { properties } = reading.value;
  checkTags(properties.tags);
  return properties;
}

/**
 * Accepts a subscription and returns the id of the operation that completes the transfer. Idempotent: a second acceptance returns the same
 * operation.
 */
export async function acceptOwnership(call: SubscriptionsCall, creation: Creation, given: Accepted): Promise<string> {
  const { jar } = call;
  const { tenantId, ownerId, origin, subscriptionId } = creation;
  const target = 'properties.managementGroupId';
  const managementGroup = await askedGroup(call, { id: given.managementGroupId, target });
  await checkPolicies(jar.store, {
    from: { tenantId: origin.tenantId, principalId: origin.caller.objectId },
    to: { tenantId, principalId: ownerId },
  });
  return jar.store.transact(async (tx) => {
    const current = (await tx.get(creations, subscriptionId))?.value ?? creation;
    requirePending(current, jar.clock.now());
    if (current.acceptance) return current.acceptance.operation;
    const accepting = { ...originOf(call), subscriptionId };
    const start = { subscriptionId, namespace: NAMESPACE, location: 'global', origin: accepting };
    const { id: operation } = await beginOperation(tx, start, jar.clock.now());
    await saveAcceptance(tx, call, current, {
      operation,
      origin: accepting,
      displayName: given.displayName,
      ...(managementGroup !== undefined && { managementGroup }),
      ...(given.tags && { tags: { ...given.tags } }),
    });
    return operation;
  });
}

function requirePending(
  { subscriptionId: subscription, acceptOwnershipState, expiresAt = 0 }: Creation,
  now: number,
): void {
  const state = acceptOwnershipState === 'Pending' && now >= expiresAt ? 'Expired' : acceptOwnershipState;
  if (state === 'Pending') return;
  throw subscriptionErrors.OwnershipNotPending({ subscription, state: state ?? 'Completed' });
}

/** A creation that waits continues at once; a creation that is still being provisioned continues when that is done. */
async function saveAcceptance(
  tx: Tx,
  { jar }: SubscriptionsCall,
  creation: Creation,
  acceptance: Acceptance,
): Promise<void> {
  const { subscriptionId, provisioningState } = creation;
  await tx.put(creations, subscriptionId, { ...creation, acceptance });
  await tx.cancel(expiryWorkId(subscriptionId));
  if (provisioningState !== 'Pending') return;
  const id = provisioningWorkId(subscriptionId);
  await tx.schedule(ADVANCE_CREATION.at(jar.clock.now(), { subscriptionId }, id));
}
