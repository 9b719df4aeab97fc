import { errorTable } from '../../../kernel/http/index.ts';
import { type Workspace, workspaces } from '../accounts/collections.ts';
import { accountOf } from '../accounts/found-account.ts';
import type { PlatformJar } from '../jar.ts';

export const workspaceErrors = errorTable({
  WorkspaceNotFound: [404, "There is no workspace '{id}'."],
  WorkspaceNotSaid: [400, "The jar has no user 'admin' whose workspace could be meant: say 'workspaceId'."],
});

/** Whom `POST /_jar/tokens` issues tokens for by default. */
const ADMINISTRATOR = 'admin';

/** The workspace that a call of the control API means: unless it names one, the first of the administrator's account, as with other calls of theirs. */
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
