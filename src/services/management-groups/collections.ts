import { collection } from '../../kernel/store/index.ts';

export type OperationKind = 'create' | 'delete';

/** How the creation or deletion of a group goes, by which clients poll: they know it by the name of the group. */
export interface GroupOperation {
  readonly tenantId: string;
  readonly name: string;
  readonly status: 'NotStarted' | 'Running' | 'Succeeded' | 'Failed';
  /** Of the group that was made. */
  readonly made?: { readonly displayName: string; readonly version: number; readonly updatedAt: number };
  /** Object id of whoever began it. */
  readonly by: string;
  readonly error?: { readonly status: number; readonly code: string; readonly message: string };
}

export const groupOperations = collection<GroupOperation>('management_groups.operations', { cached: true });

export const operationKey = (tenantId: string, kind: OperationKind, name: string): string =>
  `${tenantId}/${kind}/${name}`.toLowerCase();

/** The last version of a group that was deleted: one that is made anew under its name counts on from it. The key is that of the group. */
export interface LastVersion {
  readonly version: number;
}

export const lastVersions = collection<LastVersion>('management_groups.versions');
