import { errorTable } from '../../kernel/http/index.ts';

/** Errors of tags, locks and the other APIs of the gateway, beside the errors of the gateway itself. */
export const gatewayApiErrors = errorTable({
  // scopes
  InvalidScope: [
    400,
    "The scope '{scope}' is not valid: it must be a subscription, a resource group, a resource or a child of one.",
  ],

  // tags
  TagsNotSupportedForResource: [400, "The resource '{id}' cannot have tags: resources of the type '{type}' have none."],
  TagNameNotFound: [404, "The tag name '{name}' could not be found; create it before its values."],
  TagNameHasTagValues: [409, "The tag name '{name}' cannot be deleted: it has {values} value(s). Delete them first."],
  TagNameInUse: [409, "The tag name '{name}' cannot be deleted: {count} resource(s) or group(s) have such a tag."],
  TagValueInUse: [
    409,
    "The value '{value}' of the tag name '{name}' cannot be deleted: {count} resource(s) or group(s) have it.",
  ],
  TooManyTagValues: [409, "The tag name '{name}' has {maximum} values, which is the maximum."],

  // locks
  LockNotFound: [404, "The lock '{name}' could not be found at the scope '{scope}'."],
  InvalidLockLevel: [400, "The lock level '{level}' is not valid. The supported levels are 'CanNotDelete,ReadOnly'."],
  InvalidLockNotes: [400, 'The notes of a lock may have at most {maximum} characters; these have {length}.'],
  InvalidLockOwners: [400, 'A lock may have at most {maximum} owners; these are {count}.'],

  // features
  FeatureNotFound: [404, "The feature '{feature}' of the provider '{namespace}' could not be found."],

  // names and zones
  LocationWithoutZones: [
    400,
    "The location '{location}' has no availability zones. Locations with zones: '{locations}'.",
  ],
  TooManySubscriptions: [
    400,
    "'subscriptionIds' has {count} subscriptions; at most {maximum} can be compared at once.",
  ],

  // APIs that the jar does not have
  NotPartOfJar: [400, "'{type}' is not part of this jar: {reason}"],
});
