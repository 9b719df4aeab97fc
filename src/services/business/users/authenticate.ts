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
import type { Call } from '../../../kernel/service/index.ts';
import { errors } from '../errors.ts';
import { BUSINESS_AUDIENCES } from './audiences.ts';

const ACCEPTED: ReadonlySet<string> = new Set(BUSINESS_AUDIENCES);

/** A step of the family. Who calls, or 401 with a challenge that names where tokens come from. */
export function authenticate(call: Call): Promise<void> | undefined {
  if (call.route.open) return undefined;
  const token = bearerToken(call);
  if (token === undefined) throw unknown(call, "The request has no 'Authorization' header with a bearer token.");
  if (token === null) throw unknown(call, "The 'Authorization' header is not of the form 'Bearer <token>'.");
  const known = call.jar.tokens.recall(token);
  if (!known) return verify(call, token);
  return admit(call, known);
}

async function verify(call: Call, token: string): Promise<void> {
  let caller: Caller;
  try {
    caller = await call.jar.tokens.verify(token);
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    const since = error.expiredAt === undefined ? '' : ` That was at ${new Date(error.expiredAt).toISOString()}.`;
    throw unknown(call, error.message + since);
  }
  await admit(call, caller);
}

function admit(call: Call, caller: Caller): Promise<void> | undefined {
  const { audience, tenantId } = caller;
  call.caller = caller;
  const known = audience === ANY_AUDIENCE || ACCEPTED.has(normalAudience(audience));
  if (!known && !isOwnOrigin(audience, call.origin, call.jar)) {
    throw unknown(call, `The token is for the audience '${audience}', which is not this API.`);
  }
  const tenant = call.params.tenant;
  if (tenant === undefined || tenant.toLowerCase() === tenantId.toLowerCase()) return undefined;
  return checkTenant(call, tenant, tenantId);
}

/** Addresses may name the tenant, by its id or by its domain; it is that of the token or nobody's. */
async function checkTenant(call: Call, named: string, own: string): Promise<void> {
  const tenant = await call.jar.directory.tenant(named);
  if (tenant?.id.toLowerCase() === own.toLowerCase()) return;
  throw unknown(call, `The token is of the tenant '${own}', and the address is of '${named.slice(0, 200)}'.`);
}

function unknown(call: Call, reason: string): ApiError {
  const description = reason.replaceAll('"', "'");
  const challenge = `Bearer authorization_uri="${knownOrigin(call)}/common", error="invalid_token", error_description="${description}"`;
  return errors.Authentication_InvalidCredentials({ reason }, { headers: { 'www-authenticate': challenge } });
}
