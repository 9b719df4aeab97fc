import { eq, type Reader, type Store } from '../../../kernel/store/index.ts';
import { findUser } from '../access/find.ts';
import { owners, type User, users } from '../collections.ts';

/** Ids per query. */
const SLICE = 500;

/** The accounts with these ids, in their order; deleted accounts are omitted. */
export async function findUsers(store: Store, ids: readonly string[]): Promise<User[]> {
  const found: User[] = [];
  for (let at = 0; at < ids.length; at += SLICE) {
    const slice = await Promise.all(ids.slice(at, at + SLICE).map((id) => findUser(store, id)));
    for (const user of slice) if (user) found.push(user);
  }
  return found;
}

export async function userByName(reader: Reader, name: string): Promise<User | undefined> {
  const owner = (await reader.get(owners, name.toLowerCase(), 'none'))?.value;
  return owner?.kind === 'user' ? (await reader.get(users, owner.id, 'none'))?.value : undefined;
}

export async function userByEmail(reader: Reader, email: string): Promise<User | undefined> {
  const filter = eq('email', email.toLowerCase());
  return (await reader.query(users, { filter, limit: 1 })).items[0]?.value;
}
