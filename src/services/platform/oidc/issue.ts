import { type IssuedToken, knownOrigin } from '../../../kernel/auth/index.ts';
import { type Answer, ok } from '../../../kernel/http/index.ts';
import { SECOND_MS } from '../../../kernel/time/index.ts';
import { ACCOUNT_CLAIM, OIDC_AUDIENCE, PRINCIPAL_CLAIM, WORKSPACE_CLAIM } from '../access/audiences.ts';
import { nameOf } from '../access/standing.ts';
import type { Account, Principal } from '../accounts/collections.ts';
import type { PlatformCall } from '../jar.ts';

export interface Wanted {
  readonly account: Account;
  readonly principal: Principal;
  readonly clientId: string;
  readonly scope: string;
  /** Set for a token that is valid in one workspace only. */
  readonly workspaceId?: string;
  /** Expiry of the credential that the token is issued for. */
  readonly notAfter?: number;
}

/**
 * Issues a token that is valid for an hour by either clock, like tokens of the directory; if the credential expires earlier, until then by
 * the jar's clock.
 */
export function issue(call: PlatformCall, wanted: Wanted): Promise<IssuedToken> {
  const { account, principal, clientId, scope, workspaceId, notAfter } = wanted;
  const name = nameOf(principal);
  const objectId = principal.objectId ?? principal.id;
  const displayName = principal.displayName ?? name;
  const lifetimeSeconds = shortened(call, notAfter);
  return call.jar.tokens.issue({
    origin: knownOrigin(call),
    tenantId: account.tenantId,
    audience: OIDC_AUDIENCE,
    applicationId: clientId,
    applicationProof: principal.kind === 'servicePrincipal' ? '1' : '0',
    version: '2.0',
    subject:
      principal.kind === 'user'
        ? { kind: 'user', objectId, username: name, displayName, scopes: scope.split(' ') }
        : { kind: 'application', objectId, displayName },
    ...(lifetimeSeconds !== undefined && { lifetimeSeconds }),
    claims: {
      [ACCOUNT_CLAIM]: account.id,
      [PRINCIPAL_CLAIM]: principal.id,
      ...(workspaceId !== undefined && { [WORKSPACE_CLAIM]: workspaceId }),
      client_id: clientId,
      scope,
    },
  });
}

const HOUR_SECONDS = 3600;

function shortened({ jar }: PlatformCall, notAfter: number | undefined): number | undefined {
  const left = notAfter === undefined ? HOUR_SECONDS : Math.floor((notAfter - jar.clock.now()) / SECOND_MS);
  return left < HOUR_SECONDS ? Math.max(1, left) : undefined;
}

/** RFC 6749 5.1. */
export async function tokenAnswer(call: PlatformCall, wanted: Wanted, more: object = {}): Promise<Answer> {
  const { token, expiresIn } = await issue(call, wanted);
  return ok(
    { access_token: token, token_type: 'Bearer', expires_in: expiresIn, scope: wanted.scope, ...more },
    { 'cache-control': 'no-store' },
  );
}
