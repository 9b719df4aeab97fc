import { retryHeaders, type TooManyWrong } from '../../kernel/limits/index.ts';
import type { IdentityError } from './errors.ts';

/** A rate limit error with the waiting time in its text and in `Retry-After`. */
export function rateLimitError(
  make: (values: { readonly minutes: number }) => IdentityError,
  tooMany: Pick<TooManyWrong, 'retryAfterSeconds'>,
): IdentityError {
  const error = make({ minutes: Math.ceil(tooMany.retryAfterSeconds / 60) });
  Object.assign(error.headers, retryHeaders(tooMany));
  return error;
}
