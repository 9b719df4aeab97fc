import type { errors } from '../errors.ts';
import type { Permission } from './permissions.ts';
import type { WorkspacePermission } from './roles.ts';

/** Requirements of an operation: scopes or roles in the token, and the caller's permissions in the workspace and on the dataset. */
export interface Needs {
  /** Delegated permissions or application roles; any one of them is enough. */
  readonly scopes: readonly string[];
  readonly missing: keyof typeof errors & `${string}ScopeMissing`;
  readonly workspace?: WorkspacePermission;
  /** On the dataset in the URL, or on the datasets of the workspace if the URL names no dataset. */
  readonly dataset?: readonly Permission[];
  /** Only the owner of the dataset may call the operation; other permissions do not replace ownership. */
  readonly owner?: true;
  /** A caller without the permissions gets 404, not 401. */
  readonly hides?: true;
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

/** Requirements by name; each operation names one of them. Without `workspace` or `dataset`, the operation concerns only the caller. */
export const NEEDS = {
  datasetRead: { ...READ_DATASETS, dataset: ['Read'] },
  datasetQuery: { ...READ_DATASETS, dataset: ['Read', 'Explore'], hides: true },
  datasetWrite: { ...WRITE_DATASETS, dataset: ['Read', 'Write'] },
  datasetOwn: { ...WRITE_DATASETS, dataset: ['Read', 'Write'], owner: true },
  datasetUsersRead: { ...READ_DATASETS, dataset: ['Read', 'Reshare'] },
  datasetUsersAdd: { ...WRITE_DATASETS, dataset: ['Read', 'Reshare'] },
  datasetUsersChange: { ...WRITE_DATASETS, dataset: ['Read', 'Write', 'Reshare'] },
  workspaceList: READ_WORKSPACES,
  workspaceCreate: WRITE_WORKSPACES,
  workspaceRead: { ...READ_WORKSPACES, workspace: 'Read' },
  workspaceManage: { ...WRITE_WORKSPACES, workspace: 'Manage' },
} as const satisfies Readonly<Record<string, Needs>>;

export type NeedName = keyof typeof NEEDS;

/** The scope that `.default` grants in a delegated token. */
export const FULL_SCOPE = 'user_impersonation';
