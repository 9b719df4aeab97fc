import { errorTable } from '../http/errors.ts';

/** Errors of requests that read or change limits. */
export const limitErrors = errorTable({
  UnknownLimit: [404, "There is no limit '{name}'; {hint}"],
  UnknownScope: [400, "The scope of the limit '{name}' has no part '{part}'; {known}."],
  InvalidLimitChange: [400, '{reason}'],
  InvalidScopeFilter: [400, "'{given}' is not a scope part with a value, such as subscription=1000…"],
  TooManyOverrides: [409, 'At most {maximum} changes to limits can be stored, and there are {current} already.'],
});
