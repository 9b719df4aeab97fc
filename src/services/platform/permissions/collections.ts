import { collection, text } from '../../../kernel/store/index.ts';
import type { AclEntry } from './acl.ts';

/**
 * Permissions to use a feature of a workspace (`tokens`, `passwords`). The key is the workspace's id, `/` and the feature. Absent: all
 * members of the workspace.
 */
export interface Authorization {
  readonly workspaceId: string;
  readonly feature: string;
  readonly acl: readonly AclEntry[];
}

export const authorizations = collection<Authorization>('platform.authorizations', {
  fields: { workspace: text((it) => it.workspaceId) },
  indexes: [['workspace']],
  cached: true,
});

export const authorizationKey = (workspaceId: string, feature: string): string => `${workspaceId}/${feature}`;

export const PERMISSION_COLLECTIONS = [authorizations] as const;
