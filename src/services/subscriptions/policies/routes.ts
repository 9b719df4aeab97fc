import { Type } from 'typebox';
import { readBody } from '../../../kernel/arm/body/index.ts';
import { identityIds, mutate, systemDataAfter, withPrefix } from '../../../kernel/arm/index.ts';
import { ok, type Route } from '../../../kernel/http/index.ts';
import { readCached } from '../../../kernel/store/index.ts';
import { omitAbsent } from '../../../kernel/values/index.ts';
import { SystemDataSchema } from '../aliases/view.ts';
import { type TenantPolicy, tenantPolicies } from '../collections.ts';
import { fields, guid, wording } from '../fields.ts';
import { armRoute, type SubscriptionsCall } from '../jar.ts';
import { NAMESPACE } from '../names.ts';
import { callerOf, requireRootRole } from '../roles.ts';
import { VERSIONS } from '../version-table.ts';

const { boolean, list, object } = fields;

const BODY = object({
  blockSubscriptionsLeavingTenant: boolean({ default: false }),
  blockSubscriptionsIntoTenant: boolean({ default: false }),
  exemptedPrincipals: list(guid()),
});

const PolicySchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  properties: Type.Object({
    policyId: Type.String(),
    blockSubscriptionsLeavingTenant: Type.Boolean(),
    blockSubscriptionsIntoTenant: Type.Boolean(),
    exemptedPrincipals: Type.Array(Type.String()),
  }),
  systemData: Type.Optional(SystemDataSchema),
});

const TYPE = `${NAMESPACE}/policies`;
const COLLECTION = `/providers/${TYPE}`;
const DEFAULT = `${COLLECTION}/default`;
const common = { resourceType: TYPE, versions: VERSIONS.of('policies'), tenantLevel: true } as const;

export const policyRoutes: readonly Route[] = [
  armRoute({
    ...common,
    method: 'PUT',
    path: DEFAULT,
    operation: 'SubscriptionPolicy_AddUpdatePolicyForTenant',
    summary: 'Sets whether subscriptions may leave and enter the tenant',
    action: `${TYPE}/write`,
    body: BODY.schema(),
    responses: { 200: PolicySchema },
    admit: (call) => requireRootRole(call, 'write', `${TYPE}/write`),
    async handle(call, arm) {
      const reading = readBody(BODY, call.body, { context: { aliases: call.jar.config.namespace }, wording });
      reading.mistakes.throwAny();
      const key = keyOf(call);
      const policy = await mutate(call, async (tx) => {
        const before = (await tx.get(tenantPolicies, key))?.value;
        const after = {
          exemptedPrincipals: [],
          ...reading.value,
          systemData: systemDataAfter(call, before?.systemData),
        };
        await tx.put(tenantPolicies, key, after);
        return after;
      });
      return ok(policyView(policy, call, arm.prefix));
    },
  }),
  armRoute({
    ...common,
    method: 'GET',
    path: DEFAULT,
    operation: 'SubscriptionPolicy_GetPolicyForTenant',
    summary: 'Whether subscriptions may leave and enter the tenant',
    action: `${TYPE}/read`,
    responses: { 200: PolicySchema },
    handle: async (call, arm) => ok(policyView(await policyOf(call), call, arm.prefix)),
  }),
  armRoute({
    ...common,
    method: 'GET',
    path: COLLECTION,
    operation: 'SubscriptionPolicy_ListPolicyForTenant',
    summary: 'The policies of the tenant; there is one',
    action: `${TYPE}/read`,
    shows: 'list',
    responses: { 200: Type.Object({ value: Type.Array(PolicySchema) }) },
    handle: async (call, arm) => ok({ value: [policyView(await policyOf(call), call, arm.prefix)] }),
  }),
];

const keyOf = (call: SubscriptionsCall): string => callerOf(call).tenantId.toLowerCase();

/** A tenant without a policy blocks nothing. */
const policyOf = async (call: SubscriptionsCall): Promise<Omit<TenantPolicy, 'systemData'>> =>
  (await readCached(call.jar.store, tenantPolicies, keyOf(call)))?.value ?? {
    blockSubscriptionsLeavingTenant: false,
    blockSubscriptionsIntoTenant: false,
    exemptedPrincipals: [],
  };

function policyView(policy: Partial<TenantPolicy>, call: SubscriptionsCall, prefix: string): Record<string, unknown> {
  const { systemData, ...rules } = policy;
  // Derived: equal on every node and after every reset, different in every tenant.
  const policyId = identityIds(call.jar, `${DEFAULT}/${keyOf(call)}`).principalId;
  return omitAbsent({
    id: withPrefix(DEFAULT, prefix),
    name: 'default',
    type: withPrefix(TYPE, prefix),
    properties: { policyId, ...rules },
    systemData,
  });
}
