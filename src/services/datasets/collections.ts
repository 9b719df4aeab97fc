import { boolean, collection, number, set, text } from '../../kernel/store/index.ts';
import type { Principal } from './access/principal.ts';
import type { Dataset } from './model/types.ts';

export const WORKSPACE_RIGHTS = ['Viewer', 'Contributor', 'Member', 'Admin'] as const;

/** Rights of a workspace member in ascending order; each includes the rights before it. */
export type WorkspaceRight = (typeof WORKSPACE_RIGHTS)[number];

export interface WorkspaceUser extends Principal {
  readonly right: WorkspaceRight;
}

export interface Workspace {
  readonly id: string;
  readonly tenantId: string;
  /** Only the owner can reach a personal workspace, and without its id. */
  readonly kind: 'personal' | 'group';
  readonly name: string;
  /** The owner of a personal workspace is its only user. */
  readonly users: readonly WorkspaceUser[];
  readonly createdAt: number;
}

/** Keyed by the id of a group, or by `personalKey`. Read by every request. */
export const workspaces = collection<Workspace>('datasets.workspaces', {
  fields: {
    id: text((it) => it.id),
    tenant: text((it) => it.tenantId),
    kind: text((it) => it.kind),
    name: text((it) => it.name.toLowerCase()),
    members: set((it) => it.users.map(({ principalId }) => principalId)),
  },
  indexes: [['tenant', 'name']],
  cached: true,
});

/** Group ids contain no slash, so a personal workspace cannot be addressed as a group. */
export const personalKey = (objectId: string): string => `personal/${objectId.toLowerCase()}`;
export const isPersonal = (key: string): boolean => key.startsWith('personal/');

/** Keyed by id. The whole model is in one document, which changes rarely; the values that change with every push are in `tableStates`. */
export const datasets = collection<Dataset>('datasets.datasets', {
  fields: {
    id: text((it) => it.id),
    tenant: text((it) => it.tenantId),
    workspace: text((it) => it.workspace),
    name: text((it) => it.name.toLowerCase()),
    mode: text((it) => it.mode),
    createdAt: number((it) => it.createdAt),
    isPending: boolean((it) => it.isPending),
  },
  indexes: [['workspace', 'createdAt']],
  cached: true,
  wide: true,
});

/** Rows pushed to a streaming table at about the same time. */
export interface Batch {
  readonly at: number;
  readonly rows: number;
}

/** State of a table apart from its schema. Each table has its own document, so that pushes to different tables do not block each other. */
export interface TableState {
  readonly dataset: string;
  readonly table: string;
  /** Name of the typed table that stores the rows. */
  readonly storage: string;
  /** Schema tag of the stored rows; differs from the dataset's tag only while a schema change is running. */
  readonly schema: string;
  readonly rows: number;
  /** Totals over the life of the table, including rows that were removed since. */
  readonly pushed: { readonly requests: number; readonly rows: number; readonly bytes: number };
  readonly lastPushAt?: number;
  /** The last sequence number of each client. */
  readonly sequences: Readonly<Record<string, number>>;
  /** Streaming tables only: when the rows arrived, oldest first. */
  readonly batches?: readonly Batch[];
}

export const tableStates = collection<TableState>('datasets.tables', {
  fields: {
    dataset: text((it) => it.dataset),
    table: text((it) => it.table),
    rows: number((it) => it.rows),
    lastPushAt: number((it) => it.lastPushAt),
  },
});

/** `storage` names are never reused, so a key never finds state of a deleted table. */
export const tableKey = (dataset: string, storage: string): string => `${dataset}/${storage}`;
