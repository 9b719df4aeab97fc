import { tenants } from '../../../kernel/auth/index.ts';
import { readAll } from '../../../kernel/store/index.ts';
import { namedWorkspace } from '../access/place.ts';
import { type Account, accounts, type Workspace, workspaces } from '../accounts/collections.ts';
import { accountIdOf, accountOf, defaultWorkspaceOf } from '../accounts/found-account.ts';
import type { PlatformCall } from '../jar.ts';

/**
 * Determines the account and workspace of an unauthenticated call. The first call about a tenant creates its account, which may be such a
 * call.
 */

type OpenCall = Pick<PlatformCall, 'jar' | 'origin' | 'headers' | 'query'>;

export async function accountById({ jar }: Pick<PlatformCall, 'jar'>, id: string): Promise<Account | undefined> {
  const known = (await jar.store.cached(accounts, id.toLowerCase()))?.value;
  return known ?? foundBy(jar, (tenantId) => accountIdOf(tenantId) === id.toLowerCase());
}

export async function workspaceById({ jar }: Pick<PlatformCall, 'jar'>, id: string): Promise<Workspace | undefined> {
  const known = (await jar.store.cached(workspaces, id))?.value;
  if (known) return known;
  const account = await foundBy(jar, (tenantId) => defaultWorkspaceOf(tenantId) === id);
  return account && (await jar.store.cached(workspaces, id))?.value;
}

/** The ids of accounts and of their default workspaces are derived from tenant ids; all tenants are tried, since there are few. */
async function foundBy(jar: PlatformCall['jar'], is: (tenantId: string) => boolean): Promise<Account | undefined> {
  const tenant = (await readAll(jar.store, tenants)).find(({ value }) => is(value.id));
  return tenant && accountOf(jar, tenant.value.id);
}

/**
 * The account in the path, otherwise the account of the workspace that host, header or query name. Returns undefined if nothing names one.
 */
export async function accountNamed(call: OpenCall, accountId: string | undefined): Promise<Account | undefined> {
  if (accountId !== undefined) return accountById(call, accountId);
  const id = namedWorkspace(call);
  const workspace = id === undefined ? undefined : await workspaceById(call, id);
  return workspace && accountById(call, workspace.accountId);
}
