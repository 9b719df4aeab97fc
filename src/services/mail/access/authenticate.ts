import {
  ANY_AUDIENCE,
  bearerToken,
  type Caller,
  isOwnOrigin,
  knownOrigin,
  normalAudience,
  TokenError,
} from '../../../kernel/auth/index.ts';
import type { ApiError } from '../../../kernel/http/index.ts';
import { errors } from '../errors.ts';
import type { MailHttpCall } from '../jar.ts';
import { MAIL_AUDIENCES } from './audiences.ts';
import { FULL_SCOPE, type Need } from './scopes.ts';

const ACCEPTED: ReadonlySet<string> = new Set(MAIL_AUDIENCES);

/** A step of the family: who calls. */
export async function authenticate(call: MailHttpCall): Promise<void> {
  if (call.route.open) return;
  const token = bearerToken(call);
  if (token === undefined) throw unknown(call, 'Access token is empty.');
  if (token === null) throw unknown(call, "The 'Authorization' header is not of the form 'Bearer <token>'.");
  const caller = call.jar.tokens.recall(token) ?? (await verified(call, token));
  const { audience } = caller;
  const isKnown = audience === ANY_AUDIENCE || ACCEPTED.has(normalAudience(audience));
  if (!isKnown && !isOwnOrigin(audience, call.origin, call.jar))
    throw unknown(call, 'Access token validation failure. Invalid audience.');
  call.caller = caller;
}

async function verified(call: MailHttpCall, token: string): Promise<Caller> {
  try {
    return await call.jar.tokens.verify(token);
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    throw unknown(
      call,
      error.fault === 'expired' ? 'Lifetime validation failed, the token is expired.' : error.message,
    );
  }
}

function unknown(call: MailHttpCall, reason: string): ApiError {
  const description = reason.replaceAll('"', "'");
  const challenge = `Bearer realm="", authorization_uri="${knownOrigin(call)}/common/oauth2/authorize", error="invalid_token", error_description="${description}"`;
  return errors.InvalidAuthenticationToken({ reason }, { headers: { 'www-authenticate': challenge } });
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
