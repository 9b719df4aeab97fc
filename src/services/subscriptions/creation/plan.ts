import type { AliasRequest } from '../aliases/body.ts';
import { checkBilling } from '../billing/check.ts';
import { quotaIdOf } from '../billing/offers.ts';
import { parseBillingScope } from '../billing/scope.ts';
import type { Requested } from '../collections.ts';
import { subscriptionErrors } from '../errors.ts';
import { abbreviated } from '../fields.ts';
import { askedGroup } from '../groups.ts';
import type { SubscriptionsCall } from '../jar.ts';
import { checkPolicies } from '../policies/check.ts';
import { callerOf, isSame } from '../roles.ts';
import { type Owner, ownerOf } from './owner.ts';

/** A validated request for a new subscription. */
export interface Plan extends Owner {
  readonly requested: Requested;
  readonly quotaId: string;
}

/** Checks a request for a new subscription against the directory, the management groups, the billing scope and the policies. */
export async function planCreation(call: SubscriptionsCall, name: string, request: AliasRequest): Promise<Plan> {
  const { displayName = name, workload, billingScope, resellerId, additionalProperties: more } = request;
  if (workload === undefined) throw missing('properties.workload');
  const owner = await ownerOf(call, more);
  const managementGroup = await groupFor(call, owner.tenantId, more.managementGroupId);
  const { jar } = call;
  const caller = callerOf(call);
  const scope = billingScope === undefined ? undefined : parseBillingScope(billingScope, jar.config.namespace);
  const tenants = { fromTenant: caller.tenantId, toTenant: owner.tenantId };
  await checkBilling(jar.store, { text: billingScope, scope, resellerId, caller, ...tenants });
  await checkPolicies(jar.store, {
    from: { tenantId: caller.tenantId, principalId: caller.objectId },
    to: { tenantId: owner.tenantId, principalId: owner.ownerId },
  });
  const requested: Requested = {
    displayName,
    workload,
    ownerId: owner.ownerId,
    ...(billingScope !== undefined && { billingScope }),
    ...(resellerId !== undefined && { resellerId }),
    ...(managementGroup !== undefined && { managementGroup }),
    ...(more.tags && { tags: { ...more.tags } }),
  };
  return { ...owner, requested, quotaId: quotaIdOf(workload, scope) };
}

const GROUP = 'properties.additionalProperties.managementGroupId';

/** The caller may not see management groups of another tenant; the owner there chooses a group when accepting. */
async function groupFor(
  call: SubscriptionsCall,
  tenantId: string,
  id: string | undefined,
): Promise<string | undefined> {
  if (id !== undefined && !isSame(tenantId, callerOf(call).tenantId)) {
    const reason = 'the owner chooses the group of a subscription in another tenant when accepting it';
    throw subscriptionErrors.InvalidManagementGroupId({ group: abbreviated(id), reason }, { target: GROUP });
  }
  return askedGroup(call, { id, target: GROUP });
}

const missing = (name: string): Error => subscriptionErrors.MissingParameter({ name }, { target: name });
