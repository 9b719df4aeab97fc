import type { Tx } from '../../../kernel/store/index.ts';
import { settle, workHandler } from '../../../kernel/work/index.ts';
import type { PlatformJar } from '../jar.ts';
import { oidcGrants, principalSecrets } from '../oidc/collections.ts';
import { removeSecret } from '../oidc/principal-secrets.ts';
import { removeToken } from '../tokens/tokens.ts';
import { EXPIRE_CREDENTIAL } from './credential-work.ts';
import { accessTokens } from './token-collections.ts';

/** One function for each kind of credential. Returns the time of the next check, or undefined if the credential is gone. */
const EXPIRIES = {
  async token(tx: Tx, jar: PlatformJar, key: string): Promise<number | undefined> {
    const token = (await tx.get(accessTokens, key))?.value;
    if (!token?.expiresAt) return undefined;
    if (token.expiresAt > jar.clock.now()) return token.expiresAt;
    await removeToken(tx, jar, key, token);
    return undefined;
  },
  async secret(tx: Tx, jar: PlatformJar, key: string): Promise<number | undefined> {
    const secret = (await tx.get(principalSecrets, key))?.value;
    if (!secret) return undefined;
    if (secret.expiresAt > jar.clock.now()) return secret.expiresAt;
    await removeSecret(tx, jar, secret);
    return undefined;
  },
  /** A grant can still be valid by the system's clock. */
  async grant(tx: Tx, jar: PlatformJar, key: string): Promise<number | undefined> {
    const grant = (await tx.get(oidcGrants, key))?.value;
    const next = grant && jar.lifetimes.nextLook(grant);
    if (grant && next === undefined) await tx.delete(oidcGrants, key);
    return next;
  },
} as const;

export const expireCredential = workHandler(EXPIRE_CREDENTIAL, async (item, jar: PlatformJar) => {
  const { of, key } = item.payload;
  await settle(jar.store, item, (tx) => EXPIRIES[of](tx, jar, key));
});
