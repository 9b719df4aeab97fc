import { bearerChallenge, bearerStep, type Caller, faultReason } from '../../../kernel/auth/index.ts';
import { errors } from '../errors.ts';
import type { DatasetsCall } from '../jar.ts';
import { ANALYTICS_AUDIENCES } from './audiences.ts';
import { FULL_SCOPE, NEEDS, type Needs } from './needs.ts';

/** Family step: authenticates the caller and checks that the token allows the operation. */
export const authenticate = bearerStep<DatasetsCall>({
  audiences: ANALYTICS_AUDIENCES,
  refused(call, fault) {
    if (fault.is === 'invalid' && fault.error.fault === 'expired') return errors.TokenExpired();
    const reason = faultReason(fault);
    const headers = { 'www-authenticate': bearerChallenge(call, reason) };
    return errors.PowerBINotAuthorizedException({ reason }, { headers });
  },
  admit(call, caller) {
    const { needs } = call.route.traits ?? {};
    if (needs !== undefined) checkScopes(caller, NEEDS[needs]);
    return undefined;
  },
});

/**
 * An application needs no roles in its token, because workspaces grant its rights. If the token does have roles, the required one must be
 * among them.
 */
function checkScopes({ kind, name, scopes, claims }: Caller, { scopes: wanted, missing }: Needs): void {
  const { roles } = claims;
  const granted = kind === 'user' ? scopes : Array.isArray(roles) ? roles : wanted;
  if (granted.some((scope) => wanted.includes(scope)) || (kind === 'user' && scopes.includes(FULL_SCOPE))) return;
  throw errors[missing]({ name });
}
