import type { Store } from '../../../kernel/store/index.ts';
import { type CallerIdentity, isMemberOf, nameOf } from '../access/standing.ts';
import type { Workspace } from '../accounts/collections.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, workspaceIn } from '../jar.ts';
import { mayUseTokens } from '../permissions/authorization.ts';
import { areTokensEnabled } from './lifetime.ts';

/**
 * Returns true if a principal has CAN_USE on the tokens of a workspace. Reads from the cache, because every call with a token checks it.
 */
export const mayCallWithToken = (store: Store, workspace: Workspace, standing: CallerIdentity): Promise<boolean> =>
  mayUseTokens({ get: (from, key) => store.cached(from, key) }, workspace, standing);

/** Throws if tokens are disabled in the workspace, or if the future owner may not have one there. */
export async function requireTokens(call: PlatformCall, owner: CallerIdentity): Promise<void> {
  const workspace = workspaceIn(call);
  if (!(await areTokensEnabled(call, workspace)))
    throw errors.FEATURE_DISABLED({ reason: 'Personal access tokens are disabled in this workspace.' });
  const user = nameOf(owner.principal);
  if (!isMemberOf(owner, workspace))
    throw errors.PERMISSION_DENIED({ reason: `${user} is not in the workspace ${workspace.id}.` });
  if (!(await mayUseTokens(call.jar.store, workspace, owner)))
    throw errors.PERMISSION_DENIED({ reason: `${user} does not have CAN_USE permissions on tokens.` });
}
