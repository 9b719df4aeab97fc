import { collection } from '../../kernel/store/index.ts';

export type OperationKind = 'create' | 'delete';

/** State of the creation or deletion of a group. Clients poll it by the name of the group. */
export interface GroupOperation {
  readonly tenantId: string;
  readonly name: string;
  readonly status: 'NotStarted' | 'Running' | 'Succeeded' | 'Failed';
  /** Data of the created group. */
  readonly made?: { readonly displayName: string; readonly version: number; readonly updatedAt: number };
  /** Object id of the caller who started it. */
  readonly by: string;
  readonly error?: { readonly status: number; readonly code: string; readonly message: string };
}

export const groupOperations = collection<GroupOperation>('management_groups.operations', { cached: true });

export const operationKey = (tenantId: string, kind: OperationKind, name: string): string =>
  `${tenantId}/${kind}/${name}`.toLowerCase();

/** The last version of a deleted group; a group that is recreated under its name continues from it. The key is that of the group. */
export interface LastVersion {
  readonly version: number;
}

export const lastVersions = collection<LastVersion>('management_groups.versions');
