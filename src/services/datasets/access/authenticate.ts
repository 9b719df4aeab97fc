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
import type { DatasetsCall } from '../jar.ts';
import { ANALYTICS_AUDIENCES } from './audiences.ts';
import { FULL_SCOPE, NEEDS, type Needs } from './needs.ts';

const ACCEPTED: ReadonlySet<string> = new Set(ANALYTICS_AUDIENCES);

/** A step of the family: who calls, and whether the token allows the operation. */
export function authenticate(call: DatasetsCall): Promise<void> | undefined {
  if (call.route.open) return undefined;
  const token = bearerToken(call);
  if (token === undefined) throw unknown(call, "The request has no 'Authorization' header with a bearer token.");
  if (token === null) throw unknown(call, "The 'Authorization' header is not of the form 'Bearer <token>'.");
  const known = call.jar.tokens.recall(token);
  if (!known) return verify(call, token);
  admit(call, known);
  return undefined;
}

async function verify(call: DatasetsCall, token: string): Promise<void> {
  try {
    admit(call, await call.jar.tokens.verify(token));
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    throw error.fault === 'expired' ? errors.TokenExpired() : unknown(call, error.message);
  }
}

function admit(call: DatasetsCall, caller: Caller): void {
  const { audience } = caller;
  call.caller = caller;
  const isKnown = audience === ANY_AUDIENCE || ACCEPTED.has(normalAudience(audience));
  if (!isKnown && !isOwnOrigin(audience, call.origin, call.jar))
    throw unknown(call, `The token is for the audience '${audience}', which is not this API.`);
  const { needs } = call.route.traits ?? {};
  if (needs !== undefined) checkScopes(caller, NEEDS[needs]);
}

/**
 * An application needs no permissions in its token, since its rights are those that workspaces give it; a token that has roles all the same must
 * have the right one.
 */
function checkScopes({ kind, name, scopes, claims }: Caller, { scopes: wanted, missing }: Needs): void {
  const { roles } = claims;
  const granted = kind === 'user' ? scopes : Array.isArray(roles) ? roles : wanted;
  if (granted.some((scope) => wanted.includes(scope)) || (kind === 'user' && scopes.includes(FULL_SCOPE))) return;
  throw errors[missing]({ name });
}

function unknown(call: DatasetsCall, reason: string): ApiError {
  const description = reason.replaceAll('"', "'");
  const challenge = `Bearer authorization_uri="${knownOrigin(call)}/common", error="invalid_token", error_description="${description}"`;
  return errors.PowerBINotAuthorizedException({ reason }, { headers: { 'www-authenticate': challenge } });
}
