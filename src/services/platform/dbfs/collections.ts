import { collection } from '../../../kernel/store/index.ts';

/** An open file that is written block by block. The key is `handleKey`. The file becomes visible when the handle is closed. */
export interface DbfsHandle {
  readonly id: string;
  readonly workspaceId: string;
  readonly owner: string;
  readonly names: readonly string[];
  readonly overwrite: boolean;
  readonly blob: string;
  readonly size: number;
  readonly expiresAt: number;
}

export const dbfsHandles = collection<DbfsHandle>('platform.dbfs_handles');

export const handleKey = (workspaceId: string, id: string): string => `${workspaceId}/${id}`;

export const DBFS_COLLECTIONS = [dbfsHandles] as const;
