import { collection, text } from '../../../kernel/store/index.ts';
import type { PrincipalKind } from '../accounts/collections.ts';

/** In ascending order; each permission includes those before it. */
export const PERMISSIONS = ['READ', 'WRITE', 'MANAGE'] as const;
export type SecretPermission = (typeof PERMISSIONS)[number];

export interface SecretAcl {
  readonly kind: PrincipalKind;
  readonly principal: string;
  readonly permission: SecretPermission;
}

/** A secret scope. The key is `scopeKey`. */
export interface SecretScope {
  readonly workspaceId: string;
  readonly name: string;
  /** Set if the values are in a key vault. */
  readonly keyVault?: { readonly resourceId: string; readonly dnsName: string };
  readonly acl: readonly SecretAcl[];
  readonly createdAt: number;
}

/** Names of scopes and keys are case-insensitive. */
export const scopeKey = (workspaceId: string, name: string): string => `${workspaceId}/${name.toLowerCase()}`;

export const secretScopes = collection<SecretScope>('platform.secret_scopes', {
  fields: { workspace: text((it) => it.workspaceId), name: text((it) => it.name.toLowerCase()) },
  indexes: [['workspace', 'name']],
});

/** A secret without its value. The key is `secretKey`. */
export interface Secret {
  /** The key of its scope. */
  readonly scope: string;
  readonly name: string;
  readonly updatedAt: number;
}

export const secretKey = (scope: string, name: string): string => `${scope}/${name.toLowerCase()}`;

export const secrets = collection<Secret>('platform.secrets', {
  fields: { scope: text((it) => it.scope), name: text((it) => it.name.toLowerCase()) },
  indexes: [['scope', 'name']],
});

/** The value of a secret. A separate document, since lists must not read 128 MB. The key is that of the secret. */
export interface SecretValue {
  readonly name: string;
  /** The bytes in base64, sealed by the jar's vault: neither the store nor a snapshot contains the plain value. */
  readonly sealed: string;
}

export const secretValues = collection<SecretValue>('platform.secret_values', {
  secrets: {
    what: 'values of secrets in secret scopes',
    afterwards: 'The names are kept, the values are removed: put them again with POST /api/2.0/secrets/put',
    name: ({ name }) => name,
    remove: () => undefined,
  },
});

export const SECRET_COLLECTIONS = [secretScopes, secrets, secretValues] as const;
