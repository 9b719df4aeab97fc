import { collection, text } from '../../../kernel/store/index.ts';

/** A user's credential for the repositories of a provider. The key is `credentialKey`. */
export interface GitCredential {
  readonly id: string;
  readonly workspaceId: string;
  readonly owner: string;
  /** In the spelling of `GIT_PROVIDERS`. */
  readonly provider: string;
  readonly username?: string;
  readonly email?: string;
  readonly name?: string;
  readonly isDefault: boolean;
  /** Sealed; never shown. */
  readonly token?: string;
  readonly createdAt: number;
}

export const gitCredentials = collection<GitCredential>('platform.git_credentials', {
  fields: { owner: text(({ workspaceId, owner }) => `${workspaceId}/${owner}`) },
  indexes: [['owner']],
  secrets: {
    what: 'tokens for Git providers',
    afterwards: 'They are removed: PATCH the credentials with new ones',
    name: ({ provider, username = provider }) => username,
    remove: (credential) => {
      const { token, ...rest } = credential;
      return token === undefined ? credential : rest;
    },
  },
});

export const credentialKey = (workspaceId: string, id: string): string => `${workspaceId}/${id}`;

export const GIT_COLLECTIONS = [gitCredentials] as const;
