import type { WorkspaceRight } from '../collections.ts';
import type { DatasetRight } from './permissions.ts';

/** `Read`: its properties and its users. `Manage`: rename it, delete it, change its users. */
export type WorkspacePermission = 'Read' | 'Manage';

export interface Role {
  readonly workspace: readonly WorkspacePermission[];
  /** The right to every dataset of the workspace. Who may write datasets may create them, too. */
  readonly datasets: DatasetRight;
}

/** What each right in a workspace allows. */
export const ROLES: Readonly<Record<WorkspaceRight, Role>> = {
  Viewer: { workspace: ['Read'], datasets: 'Read' },
  Contributor: { workspace: ['Read'], datasets: 'ReadWriteExplore' },
  Member: { workspace: ['Read'], datasets: 'ReadWriteReshareExplore' },
  Admin: { workspace: ['Read', 'Manage'], datasets: 'ReadWriteReshareExplore' },
};
