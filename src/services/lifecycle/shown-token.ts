import { seededSecret } from './access/secrets.ts';
import { users } from './collections.ts';
import type { LifecycleJar } from './jar.ts';
import { SEEDED_USER } from './seed.ts';

/** The token that `GET /_jar/keys` shows: that of the seeded account or, if it was deleted, of another seeded account. */
export async function shownToken({ store, vault, apiTokens }: LifecycleJar): Promise<string | undefined> {
  const { items } = await store.query(users, { order: [{ field: 'name' }], limit: 1000 });
  const names = [SEEDED_USER, ...items.map(({ value }) => value.name.toLowerCase())];
  for (const name of names) {
    const secret = seededSecret(vault, name);
    const token = await apiTokens.find(secret);
    if (token?.scope === 'all' && token.appId === undefined) return secret;
  }
  return undefined;
}
