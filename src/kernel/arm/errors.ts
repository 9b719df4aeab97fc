import { errorTable } from '../http/errors.ts';

/** Errors of the management gateway itself, independent of the provider. */
export const gatewayErrors = errorTable({
  // authentication
  AuthenticationFailed: [401, "Authentication failed. The 'Authorization' header is missing."],
  AuthenticationFailedInvalidHeader: [
    401,
    "Authentication failed. The 'Authorization' header must be 'Bearer' and a token.",
  ],
  InvalidAuthenticationToken: [401, 'The access token is invalid: {reason}'],
  ExpiredAuthenticationToken: [
    401,
    "The access token expired at '{expired}' (UTC); the current time is '{now}' (UTC).",
  ],
  InvalidAuthenticationTokenTenant: [
    401,
    "The access token is from the wrong tenant '{actual}'. It must match the tenant '{expected}' of this subscription.",
  ],
  InvalidAuthenticationTokenAudience: [
    401,
    "The access token is for the audience '{audience}', which is not this API.",
  ],
  AuthorizationFailed: [
    403,
    "The client '{client}' with object id '{objectId}' does not have authorization to perform action '{action}' over scope '{scope}'.",
  ],
  MissingScope: [
    403,
    "The access token of '{client}' lacks the scope 'user_impersonation', which management operations need.",
  ],

  // the request itself
  MissingApiVersionParameter: [400, 'The api-version query parameter (?api-version=) is required for all requests.'],
  InvalidApiVersionParameter: [
    400,
    "The api-version '{version}' is invalid. The supported versions are '{supported}'.",
  ],
  NoRegisteredProviderFound: [
    400,
    "No registered resource provider found for location '{location}' and API version '{version}' for type '{type}'. The supported api-versions are '{supported}'. The supported locations are '{locations}'.",
  ],
  InvalidResourceType: [
    404,
    "The resource type '{type}' could not be found in the namespace '{namespace}'{versions}.{hint}",
  ],
  InvalidResourceNamespace: [
    404,
    "The resource namespace '{namespace}' is invalid: this jar does not have that provider.{more}{hint}",
  ],
  InvalidRequestContent: [400, 'The request content was invalid: {reason}'],
  InvalidResourceName: [400, "The resource name '{name}' is not valid: {reason}"],
  ReservedResourceName: [
    400,
    "The resource name '{name}' or a part of the name is a trademarked or reserved word; choose another name.",
  ],
  InvalidTag: [400, 'The tags are not valid: {reason}'],
  InvalidFilterInQueryString: [400, "The '$filter' is not valid: {reason}"],
  InvalidTop: [400, "The '$top' must be a whole number of at least 1, not '{top}'."],
  InvalidSkipToken: [400, "The '$skiptoken' is not valid for this list."],
  SubscriptionRequestsThrottled: [
    429,
    "Number of {operation} requests for subscription '{subscription}' exceeded the limit. Try again in {seconds} seconds.",
  ],
  TooManyRequests: [
    429,
    "Number of {operation} requests for tenant '{tenant}' exceeded the limit. Try again in {seconds} seconds.",
  ],

  // locks
  TooManyLocks: [409, "The scope '{scope}' already has the maximum of {maximum} locks."],
  ScopeLocked: [
    409,
    "The scope '{scope}' cannot perform {operation} operation because following scope(s) are locked: {locked}. Please remove the lock and try again.",
  ],

  // subscriptions, groups, resources
  InvalidSubscriptionId: [400, "The provided subscription identifier '{subscription}' is malformed or invalid."],
  SubscriptionNotFound: [404, "The subscription '{subscription}' could not be found."],
  ReadOnlyDisabledSubscription: [
    409,
    "The subscription '{subscription}' is disabled and therefore marked as read only.",
  ],
  MissingSubscriptionRegistration: [409, "The subscription is not registered to use namespace '{namespace}'."],
  ResourceGroupQuotaExceeded: [
    409,
    "Creating the resource group '{group}' would exceed the quota of '{maximum}'. The current resource group count is '{current}'; delete some groups first.",
  ],
  ResourceQuotaExceeded: [
    409,
    "Creating the resource of type '{type}' would exceed the quota of '{maximum}' resources of type '{type}' per resource group. The current resource count in '{group}' is '{current}'; delete some resources of this type first.",
  ],
  ResourceGroupNotFound: [404, "Resource group '{group}' could not be found."],
  ResourceGroupBeingDeleted: [409, "The resource group '{group}' is being deleted; wait until that is done."],
  ResourceNotFound: [404, "The resource '{type}/{name}' under resource group '{group}' was not found."],
  ParentResourceNotFound: [
    404,
    "Can not perform requested operation on nested resource. Parent resource '{name}' not found.",
  ],
  ResourceGroupBeingMoved: [
    409,
    "Resources are being moved from or to the resource group '{group}'; writes and deletes are blocked until that is done.",
  ],
  InvalidResourceGroupLocation: [
    409,
    "The resource group '{group}' already exists in location '{existing}'; it cannot be created in '{location}'.",
  ],
  InvalidResourceLocation: [
    409,
    "The resource '{name}' already exists in location '{existing}'; it cannot be created in '{location}'.",
  ],
  LocationRequired: [400, 'The location property is required for this definition.'],
  LocationNotAvailableForResourceType: [
    400,
    "The location '{location}' is not available for resource type '{type}'. The available locations are '{locations}'.",
  ],
  OperationNotFound: [404, "The operation '{operation}' could not be found."],
});

/** Marks errors that the gateway raised before a provider saw the call; clients distinguish them by this header. */
export const GATEWAY_FAILURE = { 'x-ms-failure-cause': 'gateway' } as const;
