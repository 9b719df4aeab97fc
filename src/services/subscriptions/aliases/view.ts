import { Type } from 'typebox';
import { TagsSchema, withPrefix } from '../../../kernel/arm/index.ts';
import { knownOrigin } from '../../../kernel/auth/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { omitAbsent } from '../../../kernel/values/index.ts';
import type { Alias } from '../collections.ts';
import type { SubscriptionsCall } from '../jar.ts';
import { aliasId, managementGroupId, NAMESPACE, ownershipPath } from '../names.ts';
import { STATES } from '../states.ts';

const text = Type.Optional(Type.String());
const stateOf = (states: object) => Type.Enum(Object.keys(states));

export const ErrorSchema = Type.Object({ code: Type.String(), message: Type.String() });
export const SystemDataSchema = Type.Object({
  createdBy: Type.String(),
  createdByType: Type.String(),
  createdAt: Type.String(),
  lastModifiedBy: Type.String(),
  lastModifiedByType: Type.String(),
  lastModifiedAt: Type.String(),
});

export const AliasSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  properties: Type.Object({
    subscriptionId: Type.String(),
    displayName: text,
    provisioningState: stateOf(STATES.provisioningState),
    acceptOwnershipUrl: text,
    acceptOwnershipState: Type.Optional(stateOf(STATES.acceptOwnershipState)),
    billingScope: text,
    workload: text,
    resellerId: text,
    subscriptionOwnerId: text,
    managementGroupId: text,
    createdTime: text,
    tags: Type.Optional(TagsSchema),
  }),
  systemData: Type.Optional(SystemDataSchema),
  error: Type.Optional(ErrorSchema),
});

export const AliasListSchema = Type.Object({ value: Type.Array(AliasSchema), nextLink: text });

/** All members of an alias; older api-versions show fewer. */
export function aliasView(alias: Alias, call: SubscriptionsCall, prefix: string): Record<string, unknown> {
  const { name, subscriptionId, requested, progress, createdAt, systemData } = alias;
  const { displayName, workload, billingScope, resellerId, ownerId, managementGroup, tags } = requested;
  const { provisioningState, acceptOwnershipState, error } = progress;
  const url = acceptOwnershipState && knownOrigin(call) + withPrefix(ownershipPath(subscriptionId), prefix);
  return omitAbsent({
    id: withPrefix(aliasId(name), prefix),
    name,
    type: withPrefix(`${NAMESPACE}/aliases`, prefix),
    properties: omitAbsent({
      subscriptionId,
      displayName,
      provisioningState,
      acceptOwnershipUrl: url,
      acceptOwnershipState,
      billingScope,
      workload,
      resellerId,
      subscriptionOwnerId: ownerId,
      managementGroupId: managementGroup && withPrefix(managementGroupId(managementGroup), prefix),
      createdTime: isoTime(createdAt),
      tags,
    }),
    systemData,
    error,
  });
}
