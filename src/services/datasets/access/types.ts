import type { Workspace } from '../collections.ts';
import type { Permission } from './permissions.ts';
import type { WorkspacePermission } from './roles.ts';

/** The workspace that a call is about, and what the caller may do there. */
export interface Place {
  readonly key: string;
  /** Absent: "My workspace" of somebody who has put nothing there yet. */
  readonly workspace: Workspace | undefined;
  readonly workspacePermissions: readonly WorkspacePermission[];
  /** To the dataset in the address; where the address has none, to the datasets of the workspace. */
  readonly permissions: ReadonlySet<Permission>;
}
