import { readCached, type Store } from '../../../kernel/store/index.ts';
import { type TenantPolicy, tenantPolicies } from '../collections.ts';
import { subscriptionErrors } from '../errors.ts';
import { isSame } from '../roles.ts';

/** A transfer of a subscription between tenants. */
interface Move {
  readonly from: { readonly tenantId: string; readonly principalId: string };
  readonly to: { readonly tenantId: string; readonly principalId: string };
}

/** Throws if the policy of either tenant blocks the transfer. Within one tenant nothing is blocked. */
export async function checkPolicies(store: Store, { from, to }: Move): Promise<void> {
  if (isSame(from.tenantId, to.tenantId)) return;
  if (await blocks(store, from, 'blockSubscriptionsLeavingTenant'))
    throw subscriptionErrors.SubscriptionsLeavingTenantBlocked({ tenant: from.tenantId });
  if (await blocks(store, to, 'blockSubscriptionsIntoTenant'))
    throw subscriptionErrors.SubscriptionsIntoTenantBlocked({ tenant: to.tenantId });
}

async function blocks(
  store: Store,
  { tenantId, principalId }: Move['from'],
  rule: keyof Pick<TenantPolicy, 'blockSubscriptionsLeavingTenant' | 'blockSubscriptionsIntoTenant'>,
): Promise<boolean> {
  const policy = (await readCached(store, tenantPolicies, tenantId.toLowerCase()))?.value;
  if (!policy?.[rule]) return false;
  return !policy.exemptedPrincipals.some((exempted) => isSame(exempted, principalId));
}
