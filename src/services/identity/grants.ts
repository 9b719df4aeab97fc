import { createHash } from 'node:crypto';
import { newSecret, sameText, sha256 } from '../../kernel/auth/index.ts';
import type { Jar } from '../../kernel/service/index.ts';
import type { Tx } from '../../kernel/store/index.ts';
import { MINUTE_MS } from '../../kernel/time/index.ts';
import { deleteExpiring, type Grant, grants, putExpiring } from './collections.ts';
import { type IdentityError, identityErrors } from './errors.ts';

/**
 * Authorization codes and refresh tokens. Both are the grant's handle and a secret, with a dot between; the store has only
 * hashes. One document holds a grant from its code to its last refresh token, so that revoking it is one delete.
 */

export const CODE_LIFETIME_MS = 10 * MINUTE_MS;
export const REFRESH_LIFETIME_MS = 90 * 24 * 60 * MINUTE_MS;

/** An expired code is remembered for a while, so that whoever comes too late learns the reason. */
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

/** The grant behind a code or refresh token of an application that `accepts`, whatever state it is in. */
export async function findGrant(jar: Jar, token: string, accepts: (clientId: string) => boolean): Promise<Grant> {
  const [key] = split(token);
  const found = await jar.store.get(grants, key);
  if (!found || !accepts(found.value.clientId)) throw identityErrors.InvalidGrant();
  return found.value;
}

export interface Redemption {
  readonly redirectUri: string | undefined;
  readonly verifier: string | undefined;
  /** Whether a refresh token is to come of it. */
  readonly offline: boolean;
}

/** Uses a code up; gives the first refresh token, if one is wanted. */
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
  /** Whether the token goes on being good, for programs of which several share one and may use it at the same moment. */
  readonly kept: boolean;
}

/**
 * Replaces a refresh token by a new one. An old one that comes back was copied by somebody, so the grant ends. One that is kept is good for
 * its lifetime from now on.
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

/** A refusal is a result rather than an exception, since an exception would undo the revocation that goes with it. */
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

/** RFC 7636; a verifier without a challenge is refused too, or an attacker could strip the challenge on the way. */
function checkVerifier(challenge: Challenge, verifier: string | undefined): IdentityError | undefined {
  if (!challenge) return verifier === undefined ? undefined : identityErrors.WrongVerifier();
  if (verifier === undefined) return identityErrors.MissingParameter({ name: 'code_verifier' });
  const derived = challenge.method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url');
  return sameText(derived, challenge.value) ? undefined : identityErrors.WrongVerifier();
}
