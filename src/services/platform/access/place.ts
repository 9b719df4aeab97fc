import { type Account, type Workspace, workspaces } from '../accounts/collections.ts';
import { gateway } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';

const HOST = /^(?:https?:\/\/)?(\d+)\.platform\.localhost(?::\d+)?$/;

/** The workspace that a host name selects: `<id>.platform.localhost`. */
export const workspaceOfHost = (origin: string): string | undefined => HOST.exec(origin)?.[1];

/** Headers in which clients name a workspace; the first is the newer one. */
const HEADERS = ['x-databricks-workspace-id', 'x-databricks-org-id'] as const;

/** The workspace that a call names in its host, headers or query. */
export function namedWorkspace({
  origin,
  headers,
  query,
}: Pick<PlatformCall, 'origin' | 'headers' | 'query'>): string | undefined {
  const host = workspaceOfHost(origin);
  if (host !== undefined) return host;
  for (const header of HEADERS) {
    const value = headers[header];
    if (typeof value === 'string' && value !== '') return value;
  }
  return typeof query.o === 'string' && query.o !== '' ? query.o : undefined;
}

/**
 * The workspace of a call: from the host, otherwise a header, otherwise `o` in the query, otherwise the token, otherwise the account's
 * default workspace. Throws if the workspace does not belong to the account, or is not the one that the token is limited to. Calls of an
 * account have no workspace.
 */
export async function findPlace(
  call: PlatformCall,
  account: Account,
  ofToken: string | undefined,
): Promise<Workspace | undefined> {
  if (call.route.traits?.scope === 'account') {
    const asked = call.params.account_id;
    if (asked !== undefined && asked.toLowerCase() !== account.id) throw gateway.invalidTokenError(call);
    return undefined;
  }
  const id = namedWorkspace(call) ?? ofToken ?? account.defaultWorkspace;
  const workspace = (await call.jar.store.cached(workspaces, id))?.value;
  if (workspace?.accountId !== account.id) throw gateway.otherWorkspace(call, id);
  if (ofToken !== undefined && ofToken !== id) throw gateway.invalidTokenError(call);
  return workspace;
}
