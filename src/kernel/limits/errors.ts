import { errorTable } from '../http/errors.ts';

/** Errors of requests that read or change limits. */
export const limitErrors = errorTable({
  UnknownLimit: [404, "There is no limit '{name}'; {hint}"],
  UnknownScope: [400, "The limit '{name}' is not counted by '{part}'; {known}."],
  InvalidLimitChange: [400, '{reason}'],
  InvalidScopeFilter: [400, "'{given}' is no part of a scope with its value, such as subscription=1000…"],
  TooManyOverrides: [409, 'There can be {maximum} changed limits at most, and there are {current} already.'],
});
