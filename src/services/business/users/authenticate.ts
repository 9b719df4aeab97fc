import { bearerChallenge, bearerStep, faultReason } from '../../../kernel/auth/index.ts';
import type { Call } from '../../../kernel/service/index.ts';
import { errors } from '../errors.ts';
import { BUSINESS_AUDIENCES } from './audiences.ts';

/** A step of the family: authenticates the caller, or throws 401 with a challenge that names the authority for tokens. */
export const authenticate = bearerStep<Call>({
  audiences: BUSINESS_AUDIENCES,
  refused(call, fault) {
    const expiredAt = fault.is === 'invalid' ? fault.error.expiredAt : undefined;
    const since = expiredAt === undefined ? '' : ` That was at ${new Date(expiredAt).toISOString()}.`;
    return unknown(call, faultReason(fault) + since);
  },
  admit(call, { tenantId }) {
    const { tenant } = call.params;
    if (tenant === undefined || tenant.toLowerCase() === tenantId.toLowerCase()) return undefined;
    return checkTenant(call, tenant, tenantId);
  },
});

/** An address can name the tenant by id or domain; it must be the tenant of the token. */
async function checkTenant(call: Call, named: string, own: string): Promise<void> {
  const tenant = await call.jar.directory.tenant(named);
  if (tenant?.id.toLowerCase() === own.toLowerCase()) return;
  throw unknown(call, `The token is of the tenant '${own}', and the address is of '${named.slice(0, 200)}'.`);
}

const unknown = (call: Call, reason: string): Error =>
  errors.Authentication_InvalidCredentials(
    { reason },
    { headers: { 'www-authenticate': bearerChallenge(call, reason) } },
  );
