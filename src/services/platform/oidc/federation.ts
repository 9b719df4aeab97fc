import type { JWTPayload } from 'jose';
import { eq, readAll } from '../../../kernel/store/index.ts';
import { findByLogin } from '../access/find-principal.ts';
import type { Account, Principal } from '../accounts/collections.ts';
import type { PlatformCall } from '../jar.ts';
import { type FederationPolicy, federationPolicies } from './collections.ts';
import { isOwnIssuer, unverified, verifyForeign } from './foreign-token.ts';
import { accountById } from './place.ts';

/** Tokens of other issuers, which federation policies say whom they stand for. */

export interface Federated {
  readonly account: Account;
  readonly principal: Principal;
}

/**
 * The principal whom a token of another issuer stands for by a policy of the account that the call names, or of whichever has one: with a client id
 * that service principal, otherwise whom the token names. Undefined where no policy accepts the token.
 */
export async function federated(
  call: PlatformCall,
  token: string,
  clientId: string | undefined,
  within: Account | undefined,
): Promise<Federated | undefined> {
  const claims = unverified(token);
  if (typeof claims?.iss !== 'string') return undefined;
  // The directory's own tokens stand for whom they name, in the account of their tenant: no policy of another account can turn them to somebody else.
  if (clientId === undefined && isOwnIssuer(call, claims.iss)) return undefined;
  const policies = await readAll(call.jar.store, federationPolicies, { filter: eq('issuer', claims.iss) });
  for (const { value: policy } of policies) {
    if ((within && policy.accountId !== within.id) || !accepts(policy, claims)) continue;
    const found = await meant(call, policy, claims, clientId);
    if (found && (await isSigned(call, token, policy))) return found;
  }
  return undefined;
}

/** Whether the claims are those that a policy asks for; whether they are true is looked at afterwards. */
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
  // A policy of a service principal is for requests that name it, one of the account for those that name nobody.
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
