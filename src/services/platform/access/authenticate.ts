import {
  ANY_AUDIENCE,
  bearerToken,
  type Caller,
  isOwnOrigin,
  normalAudience,
  TokenError,
} from '../../../kernel/auth/index.ts';
import { type Account, accounts, workspaces } from '../accounts/collections.ts';
import { accountOf, adoptNewCaller } from '../accounts/found-account.ts';
import { errors, gateway } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { areTokensEnabled } from '../tokens/lifetime.ts';
import { mayCallWithToken } from '../tokens/may-use.ts';
import { ACCOUNT_CLAIM, OIDC_AUDIENCE, PLATFORM_AUDIENCES, PRINCIPAL_CLAIM, WORKSPACE_CLAIM } from './audiences.ts';
import { findPlace } from './place.ts';
import { isWithin } from './scopes.ts';
import { type CallerIdentity, isAdminOf, isMemberOf, nameOf } from './standing.ts';
import { accessTokens } from './token-collections.ts';
import { TOKEN_PREFIX, tokenIdOf } from './token-value.ts';
import { invalidTokenError } from './wrong-token.ts';

/** Identity and restrictions that a credential proves. */
export interface VerifiedIdentity {
  readonly accountId: string;
  /** Set if identifying the caller had to read the account. */
  readonly account?: Account;
  readonly principalId: string;
  /** A personal access token is valid only in its own workspace. */
  readonly workspaceId?: string;
  /** The id of a personal access token. */
  readonly token?: string;
  /** Expiry of a personal access token. Undefined: it never expires. */
  readonly expiresAt?: number;
  /** The scopes that the credential is limited to. Undefined: no limit. */
  readonly scopes?: readonly string[];
}

/** A step of the family: determines the caller, the account and the workspace, and checks that the caller has access. */
export async function authenticate(call: PlatformCall): Promise<void> {
  if (call.route.open) return;
  const token = bearerToken(call);
  if (typeof token !== 'string') throw gateway.missingToken(call);
  const identified = await identify(call, token);
  const { accountId, principalId } = identified;
  const account = identified.account ?? (await call.jar.store.cached(accounts, accountId))?.value;
  const standing = account && (await call.jar.callerIdentities.of(accountId, principalId));
  if (!account || !standing) throw await invalidTokenError(call);
  if (!standing.principal.active) throw gateway.inactive(call);
  const { token: tokenId, scopes } = identified;
  Object.assign(call.facts, { account, standing, ...(tokenId && { token: tokenId }), ...(scopes && { scopes }) });
  requireScope(call, identified);
  const workspace = await findPlace(call, account, identified.workspaceId);
  if (workspace) Object.assign(call.facts, { workspace });
  admit(call, standing);
  if (identified.workspaceId !== undefined) await requireTokenUse(call, identified.workspaceId, standing);
}

function requireScope(call: PlatformCall, { scopes, token }: VerifiedIdentity): void {
  const needed = call.route.traits?.scopes;
  // The first scope is the usual one; the others are narrower or older names.
  if (!isWithin(scopes, needed))
    throw gateway.outsideScopes(call, token === undefined ? 'OAuth' : 'access', needed?.slice(0, 1) ?? []);
}

/** Rejects a token whose owner may no longer use tokens, also in calls of the account. */
async function requireTokenUse(call: PlatformCall, workspaceId: string, standing: CallerIdentity): Promise<void> {
  const { store } = call.jar;
  if (standing.principal.inactiveIn?.includes(workspaceId)) throw gateway.inactive(call);
  const home = (await store.cached(workspaces, workspaceId))?.value;
  if (!home || !(await mayCallWithToken(store, home, standing))) throw gateway.noTokens(call);
}

/** Identifies the owner of a credential of any kind. In the steady state this reads only memory. */
export const identify = (call: PlatformCall, token: string): Promise<VerifiedIdentity> =>
  token.startsWith(TOKEN_PREFIX) ? byAccessToken(call, token) : byDirectory(call, token);

function admit(call: PlatformCall, standing: CallerIdentity): void {
  const { scope = 'workspace', needs = 'user' } = call.route.traits ?? {};
  const { account, workspace } = call.facts;
  const user = nameOf(standing.principal);
  if (scope === 'workspace') {
    if (!workspace) throw errors.BAD_REQUEST({ reason: 'The request names no workspace.' });
    if (!isMemberOf(standing, workspace)) throw gateway.otherWorkspace(call, workspace.id);
    if (standing.principal.inactiveIn?.includes(workspace.id)) throw gateway.inactive(call);
    if (needs === 'admin' && !isAdminOf(standing, workspace))
      throw errors.PERMISSION_DENIED__NotAdmin({ user, workspace: workspace.id });
  }
  if (needs === 'accountAdmin' && !standing.isAccountAdmin)
    throw errors.PERMISSION_DENIED__NotAccountAdmin({ user, account: account?.id ?? '' });
}

async function byAccessToken(call: PlatformCall, value: string): Promise<VerifiedIdentity> {
  const { store, clock, tokenUses } = call.jar;
  const id = tokenIdOf(value);
  const found = id === undefined ? undefined : (await store.cached(accessTokens, id))?.value;
  const isOver = found?.expiresAt !== undefined && clock.now() >= found.expiresAt;
  // Due work removes expired tokens; a token that has expired but is not removed yet is refused too.
  if (!found || id === undefined || isOver) throw await invalidTokenError(call);
  const { accountId, owner, workspaceId } = found;
  if (!(await areTokensEnabled(call, { id: workspaceId }))) throw gateway.tokensDisabled(call);
  tokenUses.note(id, found);
  const { expiresAt, scopes } = found;
  return {
    accountId,
    principalId: owner,
    workspaceId,
    token: id,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(scopes && { scopes }),
  };
}

/** Identifies the caller of a token of the directory or of the platform's own `/oidc`. */
async function byDirectory(call: PlatformCall, token: string): Promise<VerifiedIdentity> {
  const { jar } = call;
  const caller = jar.tokens.recall(token) ?? (await verified(call, token));
  call.caller = caller;
  const { audience, claims } = caller;
  if (audience === OIDC_AUDIENCE) {
    const { [ACCOUNT_CLAIM]: account, [PRINCIPAL_CLAIM]: principal, [WORKSPACE_CLAIM]: workspace, scope } = claims;
    const scopes = String(scope ?? '').split(' ');
    const workspaceId = typeof workspace === 'string' ? { workspaceId: workspace } : {};
    return { accountId: String(account), principalId: String(principal), scopes, ...workspaceId };
  }
  if (!isForPlatform(call, audience)) throw gateway.invalidTokenError(call);
  return byCaller(call, caller);
}

/** The principal of a user or application of the directory, in the account of its tenant. */
export async function byCaller(
  call: Pick<PlatformCall, 'jar' | 'requestId'>,
  caller: Caller,
): Promise<VerifiedIdentity> {
  const { jar } = call;
  const { tenantId } = caller;
  const known = (await jar.store.cached(accounts, jar.byObjects.accountIdOf(tenantId)))?.value;
  const account = known ?? (await accountOf(jar, tenantId));
  const principal =
    (await jar.byObjects.of(account.id, caller.objectId)) ?? (await adoptNewCaller(jar, account, caller))?.id;
  if (principal === undefined) throw gateway.invalidTokenError(call);
  return { accountId: account.id, account, principalId: principal };
}

const AUDIENCES: ReadonlySet<string> = new Set(PLATFORM_AUDIENCES);

const isForPlatform = (call: PlatformCall, audience: string): boolean =>
  audience === ANY_AUDIENCE || AUDIENCES.has(normalAudience(audience)) || isOwnOrigin(audience, call.origin, call.jar);

async function verified(call: PlatformCall, token: string): Promise<Caller> {
  try {
    return await call.jar.tokens.verify(token);
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    throw error.fault === 'expired' ? gateway.expiredToken(call) : await invalidTokenError(call);
  }
}
