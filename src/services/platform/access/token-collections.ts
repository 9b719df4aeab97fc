import { collection, number, text } from '../../../kernel/store/index.ts';

/** A personal access token. The key is its id: the SHA-256 of its value in hexadecimal. The value itself is not stored. */
export interface AccessToken {
  readonly accountId: string;
  readonly workspaceId: string;
  /** The principal that calls with this token act as. */
  readonly owner: string;
  /** An administrator, if the token was created on behalf of a service principal. */
  readonly createdBy: string;
  readonly comment?: string;
  readonly scopes?: readonly string[];
  readonly createdAt: number;
  /** By the jar's clock. Undefined: it never expires. */
  readonly expiresAt?: number;
  /** Midnight of the last day on which the token was used. */
  readonly lastUsedDay?: number;
}

export const tokensOfOwner = ({ workspaceId, owner }: Pick<AccessToken, 'workspaceId' | 'owner'>): string =>
  `${workspaceId}/${owner}`;

export const accessTokens = collection<AccessToken>('platform.access_tokens', {
  fields: {
    workspace: text((it) => it.workspaceId),
    owner: text(tokensOfOwner),
    /** In all workspaces of the account. */
    principal: text(({ accountId, owner }) => `${accountId}/${owner}`),
    creator: text((it) => it.createdBy),
    createdAt: number((it) => it.createdAt),
  },
  indexes: [['workspace', 'createdAt'], ['owner', 'createdAt'], ['principal']],
  cached: true,
  secrets: {
    what: 'personal access tokens',
    afterwards: 'They are removed: create new ones with POST /api/2.0/token/create',
    name: ({ comment, owner }) => comment ?? owner,
    secretKey: true,
    remove: () => undefined,
  },
});

export const TOKEN_COLLECTIONS = [accessTokens] as const;
