import { type BearerFault, bearerChallenge, bearerStep } from '../auth/bearer-step.ts';
import type { TokenError } from '../auth/tokens.ts';
import { ApiError } from '../http/errors.ts';
import { readCached } from '../store/read-cached.ts';
import { subscriptions } from './collections.ts';
import { gatewayErrors } from './errors.ts';
import { parseScope } from './ids.ts';
import type { ArmCall } from './route.ts';

/** Audiences of tokens for the management API. */
export const MANAGEMENT_AUDIENCES: readonly string[] = [
  'https://management.vendor.example',
  'https://management.azure.com',
  'https://management.core.windows.net',
];

const identify = bearerStep<ArmCall>({
  audiences: MANAGEMENT_AUDIENCES,
  refused: (call, fault) => challenged(call, errorOf(call, fault)),
  admit(_, { kind, scopes, name }) {
    if (kind === 'user' && !scopes.includes('user_impersonation')) throw gatewayErrors.MissingScope({ client: name });
    return undefined;
  },
});

/** Identifies the caller, or answers 401 with a challenge that names the token issuer. */
export function authenticate(call: ArmCall): Promise<void> | undefined {
  try {
    return identify(call)?.catch((error) => refuse(call, error));
  } catch (error) {
    return refuse(call, error);
  }
}

/** If a request has no token, the challenge names the tenant of the subscription; clients discover the tenant this way. */
async function refuse(call: ArmCall, error: unknown): Promise<never> {
  const { subscriptionId } = parseScope(call.path);
  if (!(error instanceof ApiError) || error.status !== 401 || subscriptionId === undefined) throw error;
  const found = await readCached(call.jar.store, subscriptions, subscriptionId.toLowerCase());
  throw found ? challenged(call, error, found.value.tenantId) : error;
}

function errorOf(call: ArmCall, fault: BearerFault): ApiError {
  switch (fault.is) {
    case 'absent':
      return gatewayErrors.AuthenticationFailed();
    case 'malformed':
      return gatewayErrors.AuthenticationFailedInvalidHeader();
    case 'audience':
      return gatewayErrors.InvalidAuthenticationTokenAudience({ audience: fault.audience });
    case 'invalid':
      return tokenError(fault.error, call);
  }
}

function tokenError(error: TokenError, call: ArmCall): ApiError {
  if (error.fault !== 'expired') return gatewayErrors.InvalidAuthenticationToken({ reason: error.message });
  const expired = new Date(error.expiredAt ?? 0).toISOString();
  return gatewayErrors.ExpiredAuthenticationToken({ expired, now: new Date(call.receivedAt).toISOString() });
}

/** Adds the challenge header. Clients use their own tenant unless `tenant` names one. */
export function challenged(call: ArmCall, error: ApiError, tenant = 'common'): ApiError {
  Object.assign(error.headers, { 'www-authenticate': bearerChallenge(call, error.message, { path: tenant }) });
  return error;
}
