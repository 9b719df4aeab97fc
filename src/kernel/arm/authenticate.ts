import { ANY_AUDIENCE, isOwnOrigin, normalAudience } from '../auth/audience.ts';
import { bearerToken } from '../auth/bearer.ts';
import type { Caller } from '../auth/caller.ts';
import { knownOrigin } from '../auth/known-origin.ts';
import { TokenError } from '../auth/tokens.ts';
import type { ApiError } from '../http/errors.ts';
import { gatewayErrors } from './errors.ts';
import type { ArmCall } from './route.ts';

/** The resource identifiers that mean "the management API" when a token is asked for. */
export const MANAGEMENT_AUDIENCES: readonly string[] = [
  'https://management.vendor.example',
  'https://management.azure.com',
  'https://management.core.windows.net',
];

const ACCEPTED = new Set(MANAGEMENT_AUDIENCES);

/** Who calls, or 401 with a challenge that names where tokens come from. */
export function authenticate(call: ArmCall): Promise<void> | undefined {
  if (call.route.open) return undefined;
  const token = bearerToken(call);
  if (token === undefined) throw challenged(call, gatewayErrors.AuthenticationFailed());
  if (token === null) throw challenged(call, gatewayErrors.AuthenticationFailedInvalidHeader());
  const known = call.jar.tokens.recall(token);
  if (!known) return verify(call, token);
  admit(call, known);
  return undefined;
}

async function verify(call: ArmCall, token: string): Promise<void> {
  let caller: Caller;
  try {
    caller = await call.jar.tokens.verify(token);
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    throw challenged(call, tokenError(error, call));
  }
  admit(call, caller);
}

function admit(call: ArmCall, caller: Caller): void {
  call.caller = caller;
  const { audience, kind, scopes, name } = caller;
  const known = audience === ANY_AUDIENCE || ACCEPTED.has(normalAudience(audience));
  if (!known && !isOwnOrigin(audience, call.origin, call.jar)) {
    throw challenged(call, gatewayErrors.InvalidAuthenticationTokenAudience({ audience }));
  }
  if (kind === 'user' && !scopes.includes('user_impersonation')) throw gatewayErrors.MissingScope({ client: name });
}

function tokenError(error: TokenError, call: ArmCall): ApiError {
  if (error.fault !== 'expired') return gatewayErrors.InvalidAuthenticationToken({ reason: error.message });
  const expired = new Date(error.expiredAt ?? 0).toISOString();
  return gatewayErrors.ExpiredAuthenticationToken({ expired, now: new Date(call.receivedAt).toISOString() });
}

/** Adds the challenge header; the tenant is the caller's own where the error names one. */
export function challenged(call: ArmCall, error: ApiError, tenant = 'common'): ApiError {
  const description = error.message.replaceAll('"', "'");
  const challenge = `Bearer authorization_uri="${knownOrigin(call)}/${tenant}", error="invalid_token", error_description="${description}"`;
  Object.assign(error.headers, { 'www-authenticate': challenge });
  return error;
}
