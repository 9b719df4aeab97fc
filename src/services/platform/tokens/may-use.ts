import { isMemberOf, nameOf, type Standing } from '../access/standing.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, workspaceIn } from '../jar.ts';
import { mayUseTokens } from '../permissions/authorization.ts';
import { areTokensEnabled } from './lifetime.ts';

/** Throws where the workspace has no tokens, or where whoever is to own one may not have it there. */
export async function requireTokens(call: PlatformCall, owner: Standing): Promise<void> {
  const workspace = workspaceIn(call);
  if (!(await areTokensEnabled(call, workspace)))
    throw errors.FEATURE_DISABLED({ reason: 'Personal access tokens are disabled in this workspace.' });
  if (!isMemberOf(owner, workspace))
    throw errors.PERMISSION_DENIED({ reason: `${nameOf(owner.principal)} is not in the workspace ${workspace.id}.` });
  if (!(await mayUseTokens(call.jar.store, workspace, owner)))
    throw errors.PERMISSION_DENIED({
      reason: `${nameOf(owner.principal)} does not have CAN_USE permissions on tokens. Please contact an administrator for access.`,
    });
}
