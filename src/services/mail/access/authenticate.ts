import { type BearerFault, bearerChallenge, bearerStep, type Caller, faultReason } from '../../../kernel/auth/index.ts';
import { errors } from '../errors.ts';
import type { MailHttpCall } from '../jar.ts';
import { MAIL_AUDIENCES } from './audiences.ts';
import { FULL_SCOPE, type Need } from './scopes.ts';

/** A step of the family: who calls. */
export const authenticate = bearerStep<MailHttpCall>({
  audiences: MAIL_AUDIENCES,
  refused(call, fault) {
    const reason = reasonOf(fault);
    const challenge = bearerChallenge(call, reason, { realm: 'realm="", ', path: 'common/oauth2/authorize' });
    return errors.InvalidAuthenticationToken({ reason }, { headers: { 'www-authenticate': challenge } });
  },
});

/** In the words that clients of this API know. */
function reasonOf(fault: BearerFault): string {
  if (fault.is === 'absent') return 'Access token is empty.';
  if (fault.is === 'audience') return 'Access token validation failure. Invalid audience.';
  if (fault.is === 'invalid' && fault.error.fault === 'expired')
    return 'Lifetime validation failed, the token is expired.';
  return faultReason(fault);
}

export interface Granted {
  /** Nothing but a basic permission. */
  readonly isBasic: boolean;
}

/**
 * Whether the token of a caller allows something. The token of an application without roles stands for all that its administrator could grant;
 * with roles, they count.
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
    throw errors.ErrorAccessDenied__Scope({ wanted: wanted.join(', ') || 'that applications cannot have' });
  return { isBasic: need.basic !== undefined && held.every((scope) => need.basic?.includes(scope)) };
}

/** A list, or a text with blanks: `POST /_jar/tokens` adds texts to a token. Undefined where the token has none at all. */
function rolesIn({ roles }: Caller['claims']): readonly string[] | undefined {
  if (typeof roles === 'string') return roles.split(/[\s,]+/).filter(Boolean);
  return Array.isArray(roles) ? roles.map(String) : undefined;
}
