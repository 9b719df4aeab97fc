import type { Workspace } from '../collections.ts';
import type { Permission } from './permissions.ts';
import type { WorkspacePermission } from './roles.ts';

/** The workspace of a call and the caller's permissions there. */
export interface Place {
  readonly key: string;
  /** Undefined for a "My workspace" that has no datasets yet. */
  readonly workspace: Workspace | undefined;
  readonly workspacePermissions: readonly WorkspacePermission[];
  /** On the dataset in the URL, or on the datasets of the workspace if the URL names no dataset. */
  readonly permissions: ReadonlySet<Permission>;
}
