import { collection, number, text } from '../../../kernel/store/index.ts';

/** A personal access token. The key is the digest of its secret, which is kept nowhere. */
export interface AccessToken {
  readonly id: string;
  readonly accountId: string;
  readonly workspaceId: string;
  /** Whose calls those with the token are. */
  readonly owner: string;
  readonly createdBy: string;
  readonly comment?: string;
  readonly createdAt: number;
  /** Undefined: never. */
  readonly expiresAt?: number;
  /** Midnight of the last day on which it was used. */
  readonly lastUsedDay?: number;
}

export const accessTokens = collection<AccessToken>('platform.access_tokens', {
  fields: {
    id: text(({ workspaceId, id }) => `${workspaceId}/${id}`),
    workspace: text((it) => it.workspaceId),
    owner: text(({ workspaceId, owner }) => `${workspaceId}/${owner}`),
    createdAt: number((it) => it.createdAt),
  },
  indexes: [['id'], ['workspace', 'createdAt'], ['owner', 'createdAt']],
  cached: true,
});

export const TOKEN_COLLECTIONS = [accessTokens] as const;
