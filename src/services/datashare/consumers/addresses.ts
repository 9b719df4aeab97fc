import { users } from '../../../kernel/auth/index.ts';
import { eq, readAll } from '../../../kernel/store/index.ts';
import { DAY_MS } from '../../../kernel/time/index.ts';
import { addresseeKey, emailRegistrations } from '../collections.ts';
import type { DataShareCall } from '../jar.ts';

/** A verified address is valid for twelve months. */
export const PROOF_MS = 365 * DAY_MS;

/** The recipient keys of the caller: their object id in their directory, their own address, and the addresses they have verified. */
export async function addressesOf({ caller, jar }: DataShareCall): Promise<readonly string[]> {
  if (!caller) return [];
  const { store, clock } = jar;
  const own = { activeDirectoryId: caller.tenantId, objectId: caller.objectId };
  const proven = await readAll(store, emailRegistrations, { filter: eq('objectId', caller.objectId.toLowerCase()) });
  const emails = proven.flatMap(({ value }) =>
    value.status === 'Activated' && (value.activatedAt ?? 0) + PROOF_MS > clock.now() ? [value.email] : [],
  );
  const user = caller.kind === 'user' ? await store.cached(users, caller.objectId.toLowerCase()) : undefined;
  if (user) emails.push(user.value.username);
  return [addresseeKey(own), ...emails.map((email) => addresseeKey({ email }))];
}
