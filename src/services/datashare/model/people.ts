import { tenants, users } from '../../../kernel/auth/index.ts';
import type { Party, Person } from '../collections.ts';
import type { DataShareCall } from '../jar.ts';

/** The caller's name and address from the directory. */
export async function callerOf({ caller, jar }: DataShareCall): Promise<Person> {
  if (!caller) return { name: '' };
  if (caller.kind !== 'user') return { name: caller.name };
  const user = (await jar.store.cached(users, caller.objectId.toLowerCase()))?.value;
  return { name: user?.displayName ?? caller.name, email: user?.username ?? caller.name };
}

/** The caller as shown to the other side of a share: with the name of their tenant. */
export async function partyOf(call: DataShareCall): Promise<Party> {
  const tenantId = call.caller?.tenantId ?? '';
  const tenant = (await call.jar.store.cached(tenants, tenantId.toLowerCase()))?.value;
  return { ...(await callerOf(call)), tenantName: tenant?.displayName ?? tenantId };
}

/** Representation in `properties`. */
export const shownPerson = ({ name, email }: Person) => ({
  userName: name,
  ...(email !== undefined && { userEmail: email }),
});
