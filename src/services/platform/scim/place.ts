import type { Account, PrincipalKind, Workspace } from '../accounts/collections.ts';
import { accountIn, type PlatformCall, workspaceIn } from '../jar.ts';

/** Scope of the resources of a call: an account, or one of its workspaces. */
export interface ScimPlace {
  readonly account: Account;
  /** Absent in calls of an account. */
  readonly workspace: Workspace | undefined;
  readonly kind: PrincipalKind;
}

export const placeIn = (call: Pick<PlatformCall, 'facts' | 'route'>, kind: PrincipalKind): ScimPlace => ({
  account: accountIn(call),
  workspace: call.route.traits?.scope === 'account' ? undefined : workspaceIn(call),
  kind,
});
