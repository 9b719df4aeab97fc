import { applications } from '../../../kernel/auth/index.ts';
import { readAll } from '../../../kernel/store/index.ts';
import { subscriptionErrors } from '../errors.ts';
import type { SubscriptionsCall, SubscriptionsJar } from '../jar.ts';
import { callerOf, isSame } from '../roles.ts';

/** Owner of a new subscription. */
export interface Owner {
  readonly ownerId: string;
  readonly tenantId: string;
  /** True if the owner is another principal than the caller or in another tenant; the owner must then accept first. */
  readonly mustAccept: boolean;
}

interface Asked {
  readonly subscriptionOwnerId?: string;
  readonly subscriptionTenantId?: string;
}

const AT = 'properties.additionalProperties';

/** The caller, or the user or application that the request names in the requested tenant. */
export async function ownerOf(call: SubscriptionsCall, asked: Asked): Promise<Owner> {
  const caller = callerOf(call);
  const { subscriptionOwnerId: owner = caller.objectId, subscriptionTenantId: tenant = caller.tenantId } = asked;
  const isForeign = !isSame(tenant, caller.tenantId);
  if (isForeign && asked.subscriptionOwnerId === undefined) throw missingOwner();
  if (!isForeign && isSame(owner, caller.objectId))
    return { ownerId: caller.objectId, tenantId: caller.tenantId, mustAccept: false };
  const found = await call.jar.directory.tenant(tenant);
  if (!found) {
    const target = `${AT}.subscriptionTenantId`;
    throw subscriptionErrors.InvalidSubscriptionTenantId({ tenant }, { target });
  }
  if (!(await isPrincipal(call.jar, owner, found.id)))
    throw subscriptionErrors.InvalidSubscriptionOwnerId({ owner, tenant }, { target: `${AT}.subscriptionOwnerId` });
  return { ownerId: owner.toLowerCase(), tenantId: found.id, mustAccept: true };
}

function missingOwner(): Error {
  const name = `${AT}.subscriptionOwnerId`;
  return subscriptionErrors.MissingParameter({ name }, { target: name });
}

async function isPrincipal({ directory, store }: SubscriptionsJar, id: string, tenantId: string): Promise<boolean> {
  const user = await directory.user(id);
  if (user) return isSame(user.tenantId, tenantId);
  // Applications are keyed by client id, so all are read; there are few of them.
  const programs = await readAll(store, applications);
  return programs.some(({ value }) => isSame(value.objectId, id) && isSame(value.tenantId, tenantId));
}
