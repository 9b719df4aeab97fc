import { type HeldToken, users } from '../collections.ts';
import type { LifecycleJar } from '../jar.ts';
import { SEEDED_USER } from '../seed.ts';
import { readerSecret, sameProof, secretHashOf, seededSecret } from './secrets.ts';

/** The token that `GET /_jar/keys` shows: that of the seeded account or, if it was deleted, of another seeded account. */
export const shownToken = async (jar: LifecycleJar): Promise<string | undefined> => (await shownAccount(jar))?.secret;

/** The token that people get who may only read: it reads what the account of the shown token may see. */
export const readerToken = async (jar: LifecycleJar): Promise<string | undefined> =>
  (await shownAccount(jar)) && readerSecret(jar.vault);

/** The readers' token, if this is its secret. It is derived instead of stored, so that no account has a token that nobody made. */
export async function readerTokenWith(jar: LifecycleJar, secret: string): Promise<HeldToken | undefined> {
  const { id, proof } = secretHashOf(secret);
  const own = secretHashOf(readerSecret(jar.vault));
  if (id !== own.id || !sameProof(proof, own.proof)) return undefined;
  const account = await shownAccount(jar);
  return account && { id, userId: account.userId, scope: 'viewer', isReader: true };
}

interface ShownAccount {
  readonly secret: string;
  readonly userId: string;
}

async function shownAccount({ store, vault, apiTokens }: LifecycleJar): Promise<ShownAccount | undefined> {
  const { items } = await store.query(users, { order: [{ field: 'name' }], limit: 1000 });
  const names = [SEEDED_USER, ...items.map(({ value }) => value.name.toLowerCase())];
  for (const name of names) {
    const secret = seededSecret(vault, name);
    const token = await apiTokens.find(secret);
    if (token?.scope === 'all' && token.appId === undefined) return { secret, userId: token.userId };
  }
  return undefined;
}
