import { createHash } from 'node:crypto';
import { newSecret, sameText, sha256 } from '../../kernel/auth/index.ts';
import type { Jar } from '../../kernel/service/index.ts';
import type { Tx } from '../../kernel/store/index.ts';
import { MINUTE_MS } from '../../kernel/time/index.ts';
import { deleteExpiring, type Grant, grants, putExpiring } from './collections.ts';
import { type IdentityError, identityErrors } from './errors.ts';

/**
 * Authorization codes and refresh tokens. Each is the grant's handle and a secret, joined by a dot; the store has only hashes. One document
 * holds a grant from its code to its last refresh token, so that one delete revokes it.
 */

export const CODE_LIFETIME_MS = 10 * MINUTE_MS;
export const REFRESH_LIFETIME_MS = 90 * 24 * 60 * MINUTE_MS;

/** An expired code is remembered for this long, so that a late client gets the reason. */
const REMEMBER_CODE_MS = 60 * MINUTE_MS;

type NewGrant = Pick<Grant, 'clientId' | 'userId' | 'wanted'>;
type NewCode = Pick<NonNullable<Grant['code']>, 'redirectUri' | 'nonce' | 'challenge'>;

const split = (token: string): readonly [key: string, secretHash: string] => {
  const dot = token.indexOf('.');
  return [sha256(token.slice(0, Math.max(dot, 0))), sha256(token.slice(dot + 1))];
};

export async function newCode(jar: Jar, grant: NewGrant, code: NewCode): Promise<string> {
  const [handle, secret] = [newSecret(), newSecret()];
  await jar.store.transact((tx) =>
    putExpiring(tx, grants, sha256(handle), {
      ...grant,
      code: { ...code, ...jar.lifetimes.begin(CODE_LIFETIME_MS), hash: sha256(secret), redeemed: false },
      ...jar.lifetimes.begin(REMEMBER_CODE_MS),
    }),
  );
  return `${handle}.${secret}`;
}

export async function newRefreshToken(jar: Jar, grant: NewGrant): Promise<string> {
  const [handle, secret] = [newSecret(), newSecret()];
  const lifetime = jar.lifetimes.begin(REFRESH_LIFETIME_MS);
  const document: Grant = { ...grant, refresh: { hash: sha256(secret), ...lifetime }, ...lifetime };
  await jar.store.transact((tx) => putExpiring(tx, grants, sha256(handle), document));
  return `${handle}.${secret}`;
}

/** Finds the grant of a code or refresh token in any state, if `accepts` returns true for its application. */
export async function findGrant(jar: Jar, token: string, accepts: (clientId: string) => boolean): Promise<Grant> {
  const [key] = split(token);
  const found = await jar.store.get(grants, key);
  if (!found || !accepts(found.value.clientId)) throw identityErrors.InvalidGrant();
  return found.value;
}

export interface Redemption {
  readonly redirectUri: string | undefined;
  readonly verifier: string | undefined;
  /** Whether a refresh token is requested. */
  readonly offline: boolean;
}

/** Redeems a code; returns the first refresh token, if one is requested. */
export function redeemCode(jar: Jar, token: string, redemption: Redemption): Promise<string | undefined> {
  return change(jar, token, async (tx, key, grant, secretHash, next) => {
    const { code } = grant;
    if (!code || !sameText(code.hash, secretHash)) return identityErrors.InvalidGrant();
    if (code.redeemed) {
      await deleteExpiring(tx, grants, key);
      return identityErrors.CodeRedeemed();
    }
    if (jar.lifetimes.isOver(code)) return identityErrors.GrantExpired();
    if (redemption.redirectUri !== code.redirectUri) {
      return identityErrors.ReplyAddressChanged({ uri: redemption.redirectUri ?? '' });
    }
    const mistake = checkVerifier(code.challenge, redemption.verifier);
    if (mistake) return mistake;
    const redeemed: Grant = { ...grant, code: { ...code, redeemed: true } };
    const lifetime = jar.lifetimes.begin(REFRESH_LIFETIME_MS);
    const refresh = { hash: next.hash, ...lifetime };
    await putExpiring(tx, grants, key, redemption.offline ? { ...redeemed, refresh, ...lifetime } : redeemed);
    return redemption.offline ? next.token : undefined;
  });
}

export interface Renewal {
  /** If true, the token stays valid, for programs that share it and may use it concurrently. */
  readonly kept: boolean;
}

/**
 * Rotates a refresh token. A reused old token was probably stolen, so it revokes the grant. A token that is kept gets a new lifetime
 * instead.
 */
export async function renewRefreshToken(jar: Jar, token: string, { kept }: Renewal): Promise<string> {
  const renewed = await change(jar, token, async (tx, key, grant, secretHash, next) => {
    if (!grant.refresh) return identityErrors.InvalidGrant();
    if (!sameText(grant.refresh.hash, secretHash)) {
      await deleteExpiring(tx, grants, key);
      return identityErrors.RefreshTokenReused();
    }
    if (jar.lifetimes.isOver(grant.refresh)) return identityErrors.GrantExpired();
    const lifetime = jar.lifetimes.begin(REFRESH_LIFETIME_MS);
    const { hash } = kept ? grant.refresh : next;
    await putExpiring(tx, grants, key, { ...grant, refresh: { hash, ...lifetime }, ...lifetime });
    return kept ? token : next.token;
  });
  return renewed as string;
}

type Step = (
  tx: Tx,
  key: string,
  grant: Grant,
  secretHash: string,
  next: { token: string; hash: string },
) => Promise<IdentityError | string | undefined>;

/** A step returns an error instead of throwing it, because an exception would roll back the revocation. */
async function change(jar: Jar, token: string, step: Step): Promise<string | undefined> {
  const [key, secretHash] = split(token);
  const secret = newSecret();
  const next = { token: `${token.slice(0, Math.max(token.indexOf('.'), 0))}.${secret}`, hash: sha256(secret) };
  const outcome = await jar.store.transact(async (tx) => {
    const found = await tx.get(grants, key);
    return found ? step(tx, key, found.value, secretHash, next) : identityErrors.InvalidGrant();
  });
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

type Challenge = NonNullable<Grant['code']>['challenge'];

/** RFC 7636. A verifier without a challenge is refused too; otherwise an attacker could strip the challenge from the request. */
function checkVerifier(challenge: Challenge, verifier: string | undefined): IdentityError | undefined {
  if (!challenge) return verifier === undefined ? undefined : identityErrors.WrongVerifier();
  if (verifier === undefined) return identityErrors.MissingParameter({ name: 'code_verifier' });
  const derived = challenge.method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url');
  return sameText(derived, challenge.value) ? undefined : identityErrors.WrongVerifier();
}
