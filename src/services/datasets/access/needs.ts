import type { errors } from '../errors.ts';
import type { Permission } from './permissions.ts';
import type { WorkspacePermission } from './roles.ts';

/** What an operation needs of the token, and of the caller's rights in the workspace and to the dataset. */
export interface Needs {
  /** Delegated permissions, or roles of an application, any of which will do. */
  readonly scopes: readonly string[];
  readonly missing: keyof typeof errors & `${string}ScopeMissing`;
  readonly workspace?: WorkspacePermission;
  /** To the dataset in the address; where the address has none, to the datasets of the workspace. */
  readonly dataset?: readonly Permission[];
  /** Only the owner of the dataset, whatever else others may do. */
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

/** The kinds of needs that there are. An operation names one of them. Without a need for a workspace or dataset it is about the caller alone. */
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

/** What `.default` stands for in a delegated token. */
export const FULL_SCOPE = 'user_impersonation';
