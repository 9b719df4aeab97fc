export { challenged, MANAGEMENT_AUDIENCES } from './authenticate.ts';
export { type ManagementRecord, managementRecordOf, mutate, type Origin, originOf, recordOutcome } from './changes.ts';
export {
  type Lock,
  type LockLevel,
  locks,
  type Resource,
  type ResourceGroup,
  type Role,
  type RoleAssignments,
  resourceGroups,
  resources,
  roleAssignments,
  type Subscription,
  type SubscriptionState,
  subscriptions,
  tagEntry,
} from './collections.ts';
export { GATEWAY_FAILURE, gatewayErrors } from './errors.ts';
export { MANAGEMENT } from './family.ts';
export { TAGS } from './filter.ts';
export { authorize as authorizeSubscription, authorizeAt, covers, queryValue } from './gateway.ts';
export { allowedFromAbove, authorizeGroup, mayUseGroup, refusedAtGroup, rolesAtGroups } from './group-roles.ts';
export {
  groupsUpFrom,
  type HierarchySettings,
  hierarchySettings,
  isRootGroup,
  MANAGEMENT_GROUP_TYPE,
  type ManagementGroup,
  MOST_GROUP_LEVELS,
  managementGroupIn,
  managementGroupKey,
  managementGroupPath,
  managementGroups,
  ROOT_DISPLAY_NAME,
} from './hierarchy.ts';
export { guidOf, type IdentityIds, identityIds } from './identity-ids.ts';
export {
  CANONICAL_PREFIX,
  canonicalCasedId,
  canonicalId,
  canonicalNamespace,
  groupPath,
  isGuid,
  normalLocation,
  parseScope,
  resourceKey,
  subscriptionPath,
  wholeId,
} from './ids.ts';
export { MANAGEMENT_LIMITS, STORAGE_ACCOUNTS_IN_REGION, VIRTUAL_MACHINES_IN_REGION } from './limits.ts';
export { isRegion, REGIONS, type Region, regionNames } from './locations.ts';
export { deleteLock, forgetLocks, putLock } from './lock-writes.ts';
export { atScope, lockKey, MOST_SCOPE_SEGMENTS, readOnlyScopes, refuseLocked, scopeKeyOf } from './locks.ts';
export {
  awaitOperation,
  beginOperation,
  describeOperation,
  endOperation,
  FORGET_OPERATION,
  type Operation,
  type OperationHeaderOptions,
  operationHeaders,
  operationResult,
  operationStatus,
  operations,
  progressOperation,
} from './operations.ts';
export { listPage, listPageOf } from './paging.ts';
export type { Permission, Permissions } from './permissions.ts';
export { operationRow, operationsRoute } from './provider-operations.ts';
export { type Provider, REGISTRATION_FREE, type ResourceCapability, type ResourceType } from './providers.ts';
export { releaseGroupQuota, releaseResourceQuota, reserveGroupQuota, reserveResourceQuota } from './quotas.ts';
export { isReservedName } from './reserved-names.ts';
export { idOf } from './resource-code.ts';
export type { ResourceDefinition, ResourceWrite, Shown, Written } from './resource-definition.ts';
export type { OnMove, ResourceMove } from './resource-hooks.ts';
export { parentId } from './resource-path.ts';
export { type ResourceHead, resourceRoutes } from './resource-routes.ts';
export { resourceShape } from './resource-shape.ts';
export { resourceView, withCasedPrefix, withPrefix } from './resource-view.ts';
export {
  type AnyArmCode,
  type ArmCall,
  type ArmFacts,
  type ArmShape,
  armFacts,
  armRouteOf,
  armRoutesFor,
  type ScopeGroup,
} from './route.ts';
export { spokenText, spokenTitle } from './spoken-prefix.ts';
export { type IdentityType, identityTypeOf, systemDataAfter } from './system-data.ts';
export { checkTags, TagsSchema } from './tags.ts';
export { unknownNamespace } from './unmatched.ts';
export { noRegisteredProvider } from './versions/check.ts';
export {
  FEATURES_API_VERSIONS,
  GATEWAY_API_VERSIONS,
  LOCK_API_VERSIONS,
  MANAGEMENT_GROUP_API_VERSIONS,
  PROVIDER_OPERATIONS_API_VERSIONS,
  TAG_NAMES_API_VERSIONS,
  TAGS_API_VERSIONS,
  versionsFrom,
} from './versions/published.ts';
export { ProviderVersions, type TypeVersions, type VersionRow } from './versions/table.ts';
export type { VersionView } from './versions/view.ts';
