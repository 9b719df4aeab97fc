import { boolean, collection, number, set, text } from '../../kernel/store/index.ts';
import type { Principal } from './access/principal.ts';
import type { Dataset } from './model/types.ts';

export const WORKSPACE_RIGHTS = ['Viewer', 'Contributor', 'Member', 'Admin'] as const;

/** What a member of a workspace may do, each what the one before may as well. */
export type WorkspaceRight = (typeof WORKSPACE_RIGHTS)[number];

export interface WorkspaceUser extends Principal {
  readonly right: WorkspaceRight;
}

export interface Workspace {
  readonly id: string;
  readonly tenantId: string;
  /** A personal workspace is reached without its id, by its owner alone. */
  readonly kind: 'personal' | 'group';
  readonly name: string;
  /** The owner of a personal workspace is its only user. */
  readonly users: readonly WorkspaceUser[];
  readonly createdAt: number;
}

/** By the id of a group, or by `personalKey`. Read by every request. */
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

/** No id of a group has a slash, so a personal workspace cannot be reached as a group. */
export const personalKey = (objectId: string): string => `personal/${objectId.toLowerCase()}`;
export const isPersonal = (key: string): boolean => key.startsWith('personal/');

/** By id. The whole model is in one document, which changes rarely; what changes with every push is in `tableStates`. */
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

/** Rows that were pushed to a streaming table at about the same time. */
export interface Batch {
  readonly at: number;
  readonly rows: number;
}

/** What a table has, beside its schema. A document for each table, so that pushes to two tables do not wait for each other. */
export interface TableState {
  readonly dataset: string;
  readonly table: string;
  /** The typed table with the rows. */
  readonly storage: string;
  /** The tag of the schema that the rows have: differs from that in the dataset only while a schema change is under way. */
  readonly schema: string;
  readonly rows: number;
  /** Over the life of the table, whatever was removed since. */
  readonly pushed: { readonly requests: number; readonly rows: number; readonly bytes: number };
  readonly lastPushAt?: number;
  /** The last sequence number of each client. */
  readonly sequences: Readonly<Record<string, number>>;
  /** Of a streaming table: when its rows came, the oldest first. */
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

/** `storage` names are never used again, so nothing of a deleted table is found under a key. */
export const tableKey = (dataset: string, storage: string): string => `${dataset}/${storage}`;
