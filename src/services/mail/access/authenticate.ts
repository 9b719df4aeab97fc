import { type BearerFault, bearerChallenge, bearerStep, type Caller, faultReason } from '../../../kernel/auth/index.ts';
import { errors } from '../errors.ts';
import type { MailHttpCall } from '../jar.ts';
import { MAIL_AUDIENCES } from './audiences.ts';
import { FULL_SCOPE, type Need } from './scopes.ts';

/** Step of the family: authenticates the caller. */
export const authenticate = bearerStep<MailHttpCall>({
  audiences: MAIL_AUDIENCES,
  refused(call, fault) {
    const reason = reasonOf(fault);
    const challenge = bearerChallenge(call, reason, { realm: 'realm="", ', path: 'common/oauth2/authorize' });
    return errors.InvalidAuthenticationToken({ reason }, { headers: { 'www-authenticate': challenge } });
  },
});

/** The wording that clients of this API know. */
function reasonOf(fault: BearerFault): string {
  if (fault.is === 'absent') return 'Access token is empty.';
  if (fault.is === 'audience') return 'Access token validation failure. Invalid audience.';
  if (fault.is === 'invalid' && fault.error.fault === 'expired')
    return 'Lifetime validation failed, the token is expired.';
  return faultReason(fault);
}

export interface Granted {
  /** True if only a basic permission was granted. */
  readonly isBasic: boolean;
}

/**
 * Checks that the caller's token grants a need. An application token without roles grants everything that an administrator could grant;
 * with roles, only these count.
 */
export function checkNeed({ kind, scopes, claims }: Caller, need: Need): Granted {
  const roles = rolesIn(claims);
  const wanted = kind === 'user' ? need.delegated : need.application;
  if (kind === 'application' && !roles) {
    if (wanted.length === 0 && need.delegated.length > 0) throw errors.BadRequest__Me();
    return { isBasic: false };
  }
  if (need.delegated.length === 0 && need.application.length === 0) return { isBasic: false };
  const granted = kind === 'user' ? scopes : (roles ?? []);
  if (kind === 'user' && granted.includes(FULL_SCOPE)) return { isBasic: false };
  const held = wanted.filter((scope) => granted.some((each) => each.toLowerCase() === scope.toLowerCase()));
  if (held.length === 0)
    throw errors.ErrorAccessDenied__Scope({ wanted: wanted.join(', ') || 'that only users can have' });
  return { isBasic: need.basic !== undefined && held.every((scope) => need.basic?.includes(scope)) };
}

/** Roles can be a list or a string with blanks: `POST /_jar/tokens` adds strings to a token. Undefined if the token has no roles claim. */
function rolesIn({ roles }: Caller['claims']): readonly string[] | undefined {
  if (typeof roles === 'string') return roles.split(/[\s,]+/).filter(Boolean);
  return Array.isArray(roles) ? roles.map(String) : undefined;
}
