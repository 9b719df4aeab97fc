import type { Workspace, WorkspaceRight } from '../collections.ts';

/** The workspace that a call is about. */
export interface Place {
  readonly key: string;
  /** Absent: "My workspace" of somebody who has put nothing there yet. */
  readonly workspace: Workspace | undefined;
  readonly right: WorkspaceRight;
}
