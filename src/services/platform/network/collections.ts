import { collection, number, text } from '../../../kernel/store/index.ts';

/** Settings of a workspace, by the names of `workspace-conf`. The key is the workspace's id. */
export interface WorkspaceConf {
  readonly values: Readonly<Record<string, string>>;
}

export const workspaceConfs = collection<WorkspaceConf>('platform.workspace_confs', { cached: true });

/** An IP access list. The key is `ipListKey`. */
export interface IpAccessList {
  /** The id of the workspace or account that it applies to. */
  readonly scope: string;
  readonly id: string;
  readonly label: string;
  readonly type: 'ALLOW' | 'BLOCK';
  readonly addresses: readonly string[];
  readonly enabled: boolean;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly updatedAt: number;
  readonly updatedBy: string;
}

export const ipListKey = (scope: string, id: string): string => `${scope}/${id}`;

export const ipAccessLists = collection<IpAccessList>('platform.ip_access_lists', {
  fields: { scope: text((it) => it.scope), createdAt: number((it) => it.createdAt) },
  indexes: [['scope', 'createdAt']],
});

/**
 * The combined lists of a scope, written by every transaction that changes a list or its enforcement: a call reads only this document, from
 * the cache. The key is the id of the workspace or account.
 */
export interface IpGuard {
  readonly enforced: boolean;
  readonly allow: readonly string[];
  readonly block: readonly string[];
}

export const ipGuards = collection<IpGuard>('platform.ip_guards', { cached: true });

export const NETWORK_COLLECTIONS = [workspaceConfs, ipAccessLists, ipGuards] as const;
