import { originOf, systemDataAfter } from '../../../kernel/arm/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { retryHeaders } from '../../../kernel/limits/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { type Alias, aliases, aliasKey, type Creation, creations, type Progress } from '../collections.ts';
import { subscriptionErrors } from '../errors.ts';
import type { SubscriptionsCall } from '../jar.ts';
import { CREATIONS } from '../limits.ts';
import { callerOf } from '../roles.ts';
import { ADVANCE_CREATION, provisioningWorkId } from '../work.ts';
import type { Plan } from './plan.ts';

/** Applies the caller's rate limit for creations. */
export async function throttleCreation(call: SubscriptionsCall): Promise<void> {
  const { objectId, tenantId, name } = callerOf(call);
  const scope = [tenantId.toLowerCase(), objectId.toLowerCase()];
  const decision = await call.jar.limits.take([{ limit: CREATIONS, scope, cost: 1 }], { id: objectId, name });
  if (decision.allowed) return;
  const { retryAfterSeconds: seconds } = decision;
  throw subscriptionErrors.TooManyRequests({ seconds }, { headers: retryHeaders(decision) });
}

/** Stores the alias, the creation and its first work item. The last step of the creation writes the change record. */
export async function beginCreation(tx: Tx, call: SubscriptionsCall, name: string, plan: Plan): Promise<Alias> {
  const { clock, settings } = call.jar;
  const now = clock.now();
  const { provisioningTime, ownershipExpiration } = await settings.within(tx);
  const subscriptionId = uuid();
  const { requested, tenantId, ownerId, quotaId, mustAccept } = plan;
  const progress: Progress = {
    provisioningState: 'Accepted',
    ...(mustAccept && { acceptOwnershipState: 'Pending' as const }),
  };
  const alias = newAlias(call, name, { subscriptionId, requested, progress });
  const key = aliasKey(alias.tenantId, name);
  const creation: Creation = {
    ...progress,
    subscriptionId,
    tenantId,
    ownerId,
    alias: key,
    requested,
    quotaId,
    createdAt: now,
    origin: { ...originOf(call), subscriptionId },
    ...(mustAccept && { expiresAt: now + ownershipExpiration }),
  };
  await tx.put(aliases, key, alias);
  await tx.put(creations, subscriptionId, creation);
  const id = provisioningWorkId(subscriptionId);
  await tx.schedule(ADVANCE_CREATION.at(now + provisioningTime, { subscriptionId }, id));
  return alias;
}

/** A new alias of the caller. */
export function newAlias(
  call: SubscriptionsCall,
  name: string,
  rest: Pick<Alias, 'subscriptionId' | 'requested' | 'progress'>,
): Alias {
  const { tenantId, objectId } = callerOf(call);
  const systemData = systemDataAfter(call, undefined);
  return { tenantId, name, creator: objectId, ...rest, createdAt: call.jar.clock.now(), systemData };
}
