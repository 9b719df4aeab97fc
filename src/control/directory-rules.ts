import { applications, SEED_TENANT, tenants, users } from '../kernel/auth/index.ts';
import { errorTable } from '../kernel/http/index.ts';
import type { Collection, Tx } from '../kernel/store/index.ts';

/** Common rules for users and applications: an id, a tenant, and unique names. */

export const directoryErrors = errorTable({
  NoSuchApplication: [404, "There is no application '{name}' in this jar."],
  NoSuchUser: [404, "There is no user '{name}' in this jar."],
  UnknownTenant: [400, "There is no tenant '{tenant}' in this jar."],
  BadId: [400, "'{id}' is not a GUID, which the id of a user or application must be."],
  BadRedirectUri: [400, "The redirect URI '{uri}' cannot be registered: {reason}."],
  BadCertificate: [400, 'A certificate cannot be registered: {reason}.'],
  NameTaken: [409, "The name '{name}' is taken by another user or application."],
});

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function checkId(text: string): string {
  const id = text.toLowerCase();
  if (!GUID.test(id)) throw directoryErrors.BadId({ id: text });
  return id;
}

/** Called in the transaction of the write, so that two writers cannot take the same name. */
export async function claimNames(tx: Tx, id: string, names: readonly string[]): Promise<void> {
  await tx.lock('auth.directory');
  for (const name of names) {
    const taken =
      (await isTaken(tx, users, 'alias', name, id)) ||
      (await isTaken(tx, users, 'username', name, id)) ||
      (await isTaken(tx, applications, 'alias', name, id));
    if (taken) throw directoryErrors.NameTaken({ name });
  }
}

async function isTaken<T>(tx: Tx, among: Collection<T>, field: string, name: string, id: string): Promise<boolean> {
  const { items } = await tx.query(among, { filter: { op: 'eq', field, value: name.toLowerCase() }, limit: 2 });
  return items.some(({ key }) => key !== id);
}

export async function checkTenant(
  tx: Tx,
  tenantId: string = SEED_TENANT,
  target: 'tenantId' | 'guestOf' = 'tenantId',
): Promise<string> {
  const found = await tx.get(tenants, tenantId.toLowerCase(), 'share');
  if (!found) throw directoryErrors.UnknownTenant({ tenant: tenantId }, { target });
  return found.value.id;
}
