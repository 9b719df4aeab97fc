import { Type } from 'typebox';
import { TagsSchema } from '../../kernel/arm/index.ts';

const listOf = <T extends ReturnType<typeof Type.Object>>(item: T) =>
  Type.Object({ value: Type.Array(item), nextLink: Type.Optional(Type.String()) });

export const SubscriptionSchema = Type.Object({
  id: Type.String(),
  authorizationSource: Type.String(),
  managedByTenants: Type.Optional(Type.Array(Type.Object({ tenantId: Type.String() }))),
  tags: Type.Optional(TagsSchema),
  subscriptionId: Type.String(),
  tenantId: Type.Optional(Type.String()),
  displayName: Type.String(),
  state: Type.Enum(['Enabled', 'Warned', 'PastDue', 'Disabled', 'Deleted']),
  subscriptionPolicies: Type.Object({
    locationPlacementId: Type.String(),
    quotaId: Type.String(),
    spendingLimit: Type.Enum(['On', 'Off', 'CurrentPeriodOff']),
  }),
});

export const SubscriptionListSchema = Type.Object({
  value: Type.Array(SubscriptionSchema),
  count: Type.Object({ type: Type.String(), value: Type.Integer() }),
  nextLink: Type.Optional(Type.String()),
});

export const LocationListSchema = listOf(
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    type: Type.Optional(Type.String()),
    displayName: Type.String(),
    regionalDisplayName: Type.Optional(Type.String()),
    metadata: Type.Optional(Type.Object({ regionType: Type.String(), regionCategory: Type.String() })),
    availabilityZoneMappings: Type.Optional(
      Type.Array(Type.Object({ logicalZone: Type.String(), physicalZone: Type.String() })),
    ),
    latitude: Type.Optional(Type.String()),
    longitude: Type.Optional(Type.String()),
  }),
);

export const TenantListSchema = listOf(
  Type.Object({ id: Type.String(), tenantId: Type.String(), displayName: Type.String() }),
);

export const ResourceGroupSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  location: Type.String(),
  managedBy: Type.Optional(Type.String()),
  tags: Type.Optional(TagsSchema),
  properties: Type.Object({ provisioningState: Type.String() }),
});

export const ResourceGroupListSchema = listOf(ResourceGroupSchema);

/** Clients may send the body of a GET back, so read-only members are accepted and ignored. */
export const ResourceGroupBody = Type.Object({
  location: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Union([TagsSchema, Type.Null()])),
  managedBy: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

export const ResourceGroupPatch = Type.Object({
  name: Type.Optional(Type.String()),
  tags: Type.Optional(TagsSchema),
  managedBy: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

export const ResourceSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  location: Type.Optional(Type.String()),
  tags: Type.Optional(TagsSchema),
  createdTime: Type.Optional(Type.String()),
  changedTime: Type.Optional(Type.String()),
  provisioningState: Type.Optional(Type.String()),
});

export const ResourceListSchema = listOf(ResourceSchema);

export const OperationSchema = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String()),
  status: Type.String(),
  startTime: Type.String(),
  endTime: Type.Optional(Type.String()),
  percentComplete: Type.Optional(Type.Number()),
  properties: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
});
