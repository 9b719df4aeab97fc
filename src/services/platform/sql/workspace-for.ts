import { errorTable } from '../../../kernel/http/index.ts';
import { type Workspace, workspaces } from '../accounts/collections.ts';
import { accountOf } from '../accounts/found-account.ts';
import type { PlatformJar } from '../jar.ts';

export const workspaceErrors = errorTable({
  WorkspaceNotFound: [404, "There is no workspace '{id}'."],
  WorkspaceNotSaid: [400, "The jar has no user 'admin' whose workspace would be the default: give 'workspaceId'."],
});

/** Default user of `POST /_jar/tokens`. */
const ADMINISTRATOR = 'admin';

/**
 * The workspace of a control API call: the named one, otherwise the first workspace of the administrator's account, the default of other
 * control API calls too.
 */
export async function workspaceFor(jar: PlatformJar, named: string | undefined): Promise<Workspace> {
  const id = named ?? (await administrators(jar));
  const found = await jar.store.get(workspaces, id);
  if (!found) throw workspaceErrors.WorkspaceNotFound({ id: id.slice(0, 100) });
  return found.value;
}

async function administrators(jar: PlatformJar): Promise<string> {
  const user = await jar.directory.findUser(ADMINISTRATOR);
  if (!user) throw workspaceErrors.WorkspaceNotSaid();
  return (await accountOf(jar, user.tenantId)).defaultWorkspace;
}
