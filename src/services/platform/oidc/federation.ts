import type { JWTPayload } from 'jose';
import { eq, readAll } from '../../../kernel/store/index.ts';
import { findByLogin } from '../access/find-principal.ts';
import type { Account, Principal } from '../accounts/collections.ts';
import type { PlatformCall } from '../jar.ts';
import { type FederationPolicy, federationPolicies } from './collections.ts';
import { isOwnIssuer, unverified, verifyForeign } from './foreign-token.ts';
import { accountById } from './place.ts';

/** Maps tokens of other issuers to principals, by federation policies. */

export interface Federated {
  readonly account: Account;
  readonly principal: Principal;
}

/**
 * The principal for a token of another issuer, by a policy of the account that the call names, or of any account. With a client id it is
 * that service principal, otherwise the principal that the token names. Returns undefined if no policy accepts the token.
 */
export async function federated(
  call: PlatformCall,
  token: string,
  clientId: string | undefined,
  within: Account | undefined,
): Promise<Federated | undefined> {
  const claims = unverified(token);
  if (typeof claims?.iss !== 'string') return undefined;
  // Tokens of the directory represent their subject in its tenant's account: no policy of another account may map them to another
  // principal.
  if (clientId === undefined && isOwnIssuer(call, claims.iss)) return undefined;
  const policies = await readAll(call.jar.store, federationPolicies, { filter: eq('issuer', claims.iss) });
  for (const { value: policy } of policies) {
    if ((within && policy.accountId !== within.id) || !accepts(policy, claims)) continue;
    const found = await meant(call, policy, claims, clientId);
    if (found && (await isSigned(call, token, policy))) return found;
  }
  return undefined;
}

/** Whether the claims match a policy; their signature is verified afterwards. */
function accepts({ accountId, audiences, principal, subject, subjectClaim }: FederationPolicy, claims: JWTPayload) {
  const allowed = audiences.length > 0 ? audiences : [accountId];
  const given = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
  if (!given.some((audience) => audience !== undefined && allowed.includes(audience))) return false;
  return principal === undefined || claims[subjectClaim] === subject;
}

async function meant(
  call: PlatformCall,
  { accountId, principal: ofPolicy, subjectClaim }: FederationPolicy,
  claims: JWTPayload,
  clientId: string | undefined,
): Promise<Federated | undefined> {
  const account = await accountById(call, accountId);
  // A policy of a service principal applies to requests with its client id, a policy of the account to requests without one.
  const login = ofPolicy === undefined ? claims[subjectClaim] : clientId;
  if (!account || typeof login !== 'string' || (ofPolicy === undefined && clientId !== undefined)) return undefined;
  const place = { id: account.defaultWorkspace, accountId };
  const kinds = ofPolicy === undefined ? (['user', 'servicePrincipal'] as const) : (['servicePrincipal'] as const);
  const principal = await findByLogin(call.jar.store, place, kinds, login);
  return principal && (ofPolicy ?? principal.id) === principal.id ? { account, principal } : undefined;
}

async function isSigned(call: PlatformCall, token: string, policy: FederationPolicy): Promise<boolean> {
  try {
    await verifyForeign(call, token, policy);
    return true;
  } catch (error) {
    call.jar.log.info({ err: error, issuer: policy.issuer }, 'a federated token was refused');
    return false;
  }
}
