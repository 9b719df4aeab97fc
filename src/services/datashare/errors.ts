import { errorTable } from '../../kernel/http/index.ts';

/** Errors of the provider itself; errors of the gateway before it are in `kernel/arm/errors.ts`. */
export const dataShareErrors = errorTable({
  // missing resources
  ShareNotFound: [404, "The account '{account}' has no share '{name}'."],
  DataSetNotFound: [404, "The share '{share}' has no data set '{name}'."],
  InvitationNotFound: [404, "There is no invitation '{name}'."],
  SynchronizationSettingNotFound: [404, "There is no synchronization setting '{name}' in the share '{share}'."],
  ShareSubscriptionNotFound: [404, "There is no share subscription '{name}'."],
  DataSetMappingNotFound: [404, "There is no data set mapping '{name}' in the share subscription '{subscription}'."],
  TriggerNotFound: [404, "There is no trigger '{name}' in the share subscription '{subscription}'."],
  SynchronizationNotFound: [404, "There is no synchronization '{id}'."],
  EmailRegistrationNotFound: [404, "The address '{email}' was not registered by the caller."],

  // invalid bodies
  InvalidProperty: [400, "The value of '{target}' is not valid: {reason}."],
  IdentityRequired: [400, "An account needs an 'identity' of the type 'SystemAssigned'."],
  ImmutableProperty: [400, "'{target}' cannot be changed: it is '{existing}'."],
  InvalidName: [400, "The name '{name}' is not valid: {reason}."],
  InvalidDataSetMapping: [400, "A data set of the kind '{kind}' cannot be mapped to '{target}'."],
  ScheduleNotOffered: [
    400,
    "The source has no synchronization setting with the recurrence '{recurrence}' at '{time}'; a trigger follows the setting of its source.",
  ],
  InvalidStorageAccount: [400, "The storage account '{account}' cannot be used: {reason}."],

  // conflicts with the current state
  QuotaExceeded: [409, "The quota '{quota}' of '{owner}' is {limit} and is used up."],
  InvitationNotPending: [409, "The invitation '{id}' is already {status}."],
  InvitationExpired: [400, "The invitation '{id}' expired at '{at}'."],
  DataSetMapped: [409, "The data set '{id}' is already mapped by '{name}'."],
  DataSetExists: [409, "The data set '{name}' exists with other properties; delete it first."],
  ShareSubscriptionInWrongState: [
    400,
    "The share subscription '{name}' is {status}; this operation requires {wanted}.",
  ],
  NothingMapped: [400, "The share subscription '{name}' has no data set mapping that is Ok."],
  SynchronizationInProgress: [
    409,
    "The synchronization '{id}' of the share subscription '{name}' is in progress; wait for its end or cancel it.",
  ],
  SynchronizationEnded: [400, "The synchronization '{id}' has ended as {status}."],
  WrongActivationCode: [400, 'The activation code is not the one that was sent; {left} attempts are left.'],
  ActivationAttemptsExhausted: [
    400,
    'The activation code was wrong too often; register the address again an hour after the last registration.',
  ],
  ActivationExpired: [400, "The activation code expired at '{at}'; register the address again."],
});
