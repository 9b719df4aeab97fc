import { errorTable } from '../http/errors.ts';

/** What can be wrong with a request to look at limits or to change them. */
export const limitErrors = errorTable({
  UnknownLimit: [404, "There is no limit '{name}'; {hint}"],
  UnknownScope: [400, "The limit '{name}' is not counted by '{part}'; {known}."],
  InvalidLimitChange: [400, '{reason}'],
  InvalidScopeFilter: [400, "'{given}' is no part of a scope with its value, such as subscription=1000…"],
  TooManyOverrides: [409, 'There can be {maximum} changed limits at most, and there are {current} already.'],
});
