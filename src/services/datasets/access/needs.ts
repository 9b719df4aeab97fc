import type { WorkspaceRight } from '../collections.ts';
import type { errors } from '../errors.ts';

/** What an operation needs of the token and of the caller's role in the workspace. */
export interface Needs {
  /** Delegated permissions, or roles of an application, any of which will do. */
  readonly scopes: readonly string[];
  readonly missing: keyof typeof errors & `${string}ScopeMissing`;
  /** Absent: the operation is about no workspace, or the caller's own list of them. */
  readonly right?: WorkspaceRight;
}

const READ_DATASETS = {
  scopes: ['Dataset.Read.All', 'Dataset.ReadWrite.All'],
  missing: 'DatasetReadScopeMissing',
} as const;
const WRITE_DATASETS = { scopes: ['Dataset.ReadWrite.All'], missing: 'DatasetWriteScopeMissing' } as const;
const READ_WORKSPACES = {
  scopes: ['Workspace.Read.All', 'Workspace.ReadWrite.All'],
  missing: 'WorkspaceReadScopeMissing',
} as const;
const WRITE_WORKSPACES = { scopes: ['Workspace.ReadWrite.All'], missing: 'WorkspaceWriteScopeMissing' } as const;

/** The kinds of needs that there are. An operation names one of them. */
export const NEEDS = {
  datasetRead: { ...READ_DATASETS, right: 'Viewer' },
  datasetWrite: { ...WRITE_DATASETS, right: 'Contributor' },
  workspaceList: READ_WORKSPACES,
  workspaceCreate: WRITE_WORKSPACES,
  workspaceRead: { ...READ_WORKSPACES, right: 'Viewer' },
  workspaceManage: { ...WRITE_WORKSPACES, right: 'Admin' },
} as const satisfies Readonly<Record<string, Needs>>;

export type NeedName = keyof typeof NEEDS;

/** What `.default` stands for in a delegated token. */
export const FULL_SCOPE = 'user_impersonation';
