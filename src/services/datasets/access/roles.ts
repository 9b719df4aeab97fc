import type { WorkspaceRight } from '../collections.ts';
import type { DatasetRight } from './permissions.ts';

/** `Read`: the workspace's properties and users. `Manage`: rename it, delete it, change its users. */
export type WorkspacePermission = 'Read' | 'Manage';

export interface Role {
  readonly workspace: readonly WorkspacePermission[];
  /** The right to every dataset of the workspace. A role that may write datasets may also create them. */
  readonly datasets: DatasetRight;
}

/** The permissions of each workspace right. */
export const ROLES: Readonly<Record<WorkspaceRight, Role>> = {
  Viewer: { workspace: ['Read'], datasets: 'Read' },
  Contributor: { workspace: ['Read'], datasets: 'ReadWriteExplore' },
  Member: { workspace: ['Read'], datasets: 'ReadWriteReshareExplore' },
  Admin: { workspace: ['Read', 'Manage'], datasets: 'ReadWriteReshareExplore' },
};
