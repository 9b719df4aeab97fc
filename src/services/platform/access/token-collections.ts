import { collection, number, text } from '../../../kernel/store/index.ts';

/** A personal access token. The key is its id, which is the SHA-256 of its value in hexadecimal; the value is kept nowhere. */
export interface AccessToken {
  readonly accountId: string;
  readonly workspaceId: string;
  /** Whose calls those with the token are. */
  readonly owner: string;
  /** An administrator, of a token that was made on behalf of a service principal. */
  readonly createdBy: string;
  readonly comment?: string;
  readonly scopes?: readonly string[];
  readonly createdAt: number;
  /** By the jar's clock. Undefined: never. */
  readonly expiresAt?: number;
  /** Midnight of the last day on which it was used. */
  readonly lastUsedDay?: number;
}

export const tokensOfOwner = ({ workspaceId, owner }: Pick<AccessToken, 'workspaceId' | 'owner'>): string =>
  `${workspaceId}/${owner}`;

export const accessTokens = collection<AccessToken>('platform.access_tokens', {
  fields: {
    workspace: text((it) => it.workspaceId),
    owner: text(tokensOfOwner),
    /** Over all workspaces. */
    principal: text(({ accountId, owner }) => `${accountId}/${owner}`),
    creator: text((it) => it.createdBy),
    createdAt: number((it) => it.createdAt),
  },
  indexes: [['workspace', 'createdAt'], ['owner', 'createdAt'], ['principal']],
  cached: true,
  secrets: {
    what: 'personal access tokens',
    afterwards: 'They are gone: make new ones with POST /api/2.0/token/create',
    name: ({ comment, owner }) => comment ?? owner,
    secretKey: true,
    remove: () => undefined,
  },
});

export const TOKEN_COLLECTIONS = [accessTokens] as const;
