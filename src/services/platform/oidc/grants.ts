import { hash } from 'node:crypto';
import { newSecret, sameText, sha256 } from '../../../kernel/auth/index.ts';
import type { Tx } from '../../../kernel/store/index.ts';
import { DAY_MS, MINUTE_MS } from '../../../kernel/time/index.ts';
import { EXPIRE_CREDENTIAL, expiryId } from '../access/credential-work.ts';
import type { PlatformJar } from '../jar.ts';
import { type OidcGrant, oidcGrants } from './collections.ts';

/**
 * Authorization codes and refresh tokens are `<handle>.<secret>`. The handle identifies the grant, and the secret changes with every use: a
 * token with an old secret was copied, so the grant ends.
 */

const CODE_LIFETIME_MS = 10 * MINUTE_MS;
const REFRESH_LIFETIME_MS = 90 * DAY_MS;

type NewGrant = Pick<OidcGrant, 'accountId' | 'principal' | 'clientId' | 'scope'>;
type NewCode = Pick<NonNullable<OidcGrant['code']>, 'redirectUri' | 'challenge'>;

async function putGrant(tx: Tx, key: string, grant: OidcGrant): Promise<void> {
  await tx.put(oidcGrants, key, grant);
  await tx.schedule(EXPIRE_CREDENTIAL.at(grant.expiresAt, { of: 'grant', key }, expiryId('grant', key)));
}

async function endGrant(tx: Tx, key: string): Promise<void> {
  await tx.delete(oidcGrants, key);
  await tx.cancel(expiryId('grant', key));
}

export async function newCode(jar: PlatformJar, grant: NewGrant, code: NewCode): Promise<string> {
  const [handle, secret] = [newSecret(), newSecret()];
  const lifetime = jar.lifetimes.begin(CODE_LIFETIME_MS);
  const document: OidcGrant = { ...grant, secret: sha256(secret), code: { ...code, ...lifetime }, ...lifetime };
  await jar.store.transact((tx) => putGrant(tx, sha256(handle), document));
  return `${handle}.${secret}`;
}

export interface Redeemed {
  readonly grant: OidcGrant;
  /** The next refresh token. */
  readonly refreshToken: string | undefined;
}

/** Whether the token may be redeemed; its secret has already been found to be the current one. */
type Check = (grant: OidcGrant) => boolean;

export interface CodeProof {
  readonly clientId: string;
  readonly redirectUri: string | undefined;
  readonly verifier: string | undefined;
}

/** Redeems a code, with proof that the caller requested it. Issues a refresh token if offline access was requested. */
export const redeemCode = (jar: PlatformJar, code: string, proof: CodeProof): Promise<Redeemed | undefined> =>
  redeem(jar, code, ({ clientId, code: asked }) => {
    const { redirectUri, verifier } = proof;
    if (!asked || clientId !== proof.clientId || asked.redirectUri !== redirectUri) return false;
    return asked.challenge === undefined
      ? verifier === undefined
      : verifier !== undefined && sameText(hash('sha256', verifier, 'base64url'), asked.challenge);
  });

export const redeemRefreshToken = (jar: PlatformJar, token: string, client: string): Promise<Redeemed | undefined> =>
  redeem(jar, token, ({ clientId, code }) => code === undefined && clientId === client);

function redeem(jar: PlatformJar, token: string, check: Check): Promise<Redeemed | undefined> {
  const dot = token.indexOf('.');
  const [handle, secret, next] = [token.slice(0, Math.max(dot, 0)), token.slice(dot + 1), newSecret()];
  const key = sha256(handle);
  return jar.store.transact(async (tx) => {
    const grant = (await tx.get(oidcGrants, key))?.value;
    if (!grant || jar.lifetimes.isOver(grant)) return undefined;
    if (!sameText(grant.secret, sha256(secret))) {
      await endGrant(tx, key);
      return undefined;
    }
    if (!check(grant)) return undefined;
    const { code: _used, ...rest } = grant;
    // A grant without offline access is kept until its code would expire, to detect a second use.
    const isOffline = rest.scope.split(' ').includes('offline_access');
    const lifetime = isOffline ? jar.lifetimes.begin(REFRESH_LIFETIME_MS) : {};
    await putGrant(tx, key, { ...rest, ...lifetime, secret: sha256(next) });
    return { grant, refreshToken: isOffline ? `${handle}.${next}` : undefined };
  });
}
