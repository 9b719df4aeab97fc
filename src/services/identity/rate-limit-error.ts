import { type CredentialRefusal, retryHeaders } from '../../kernel/limits/index.ts';
import type { IdentityError } from './errors.ts';

/** A rate limit error with the waiting time in its text and in `Retry-After`. */
export function rateLimitError(
  make: (values: { readonly minutes: number }) => IdentityError,
  tooMany: Pick<CredentialRefusal, 'retryAfterSeconds'>,
): IdentityError {
  const error = make({ minutes: Math.ceil(tooMany.retryAfterSeconds / 60) });
  Object.assign(error.headers, retryHeaders(tooMany));
  return error;
}
