import type { Caller } from '../kernel/auth/index.ts';
import type { Jar } from '../kernel/service/index.ts';
import { OWN_CLAIMS } from './tokens.ts';

/** A new access token with the rights of the token of a caller, and with a default lifetime. */
export async function freshToken({ tokens }: Pick<Jar, 'tokens'>, caller: Caller): Promise<string> {
  const { claims, kind, objectId, scopes, tenantId, audience, applicationId, wallEnd } = caller;
  const displayName = String(claims.name ?? '');
  const others = Object.entries(claims).filter(([name]) => !OWN_CLAIMS.has(name));
  const { token } = await tokens.issue({
    origin: new URL(String(claims.iss)).origin,
    tenantId,
    audience,
    applicationId,
    version: claims.ver === '2.0' ? '2.0' : '1.0',
    applicationProof: (claims.appidacr ?? claims.azpacr) === '1' ? '1' : '0',
    ...(wallEnd !== undefined && { readOnlyUntil: wallEnd }),
    claims: Object.fromEntries(others),
    subject:
      kind === 'user'
        ? { kind, objectId, username: caller.name, displayName, scopes }
        : { kind, objectId, displayName },
  });
  return token;
}
