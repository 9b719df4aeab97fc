import type { Lifetime } from '../../../kernel/auth/index.ts';
import { collection, number, text } from '../../../kernel/store/index.ts';

/** An OAuth secret of a service principal. The key is `secretKey`. */
export interface PrincipalSecret {
  readonly id: string;
  readonly accountId: string;
  readonly principal: string;
  /** The client id, in lower case. */
  readonly applicationId: string;
  /** SHA-256 of the secret in hexadecimal, which the API shows. */
  readonly digest: string;
  readonly scopes?: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number;
}

export const principalSecretKey = ({
  accountId,
  principal,
  id,
}: Pick<PrincipalSecret, 'accountId' | 'principal' | 'id'>): string => `${accountId}/${principal}/${id}`;

export const principalSecrets = collection<PrincipalSecret>('platform.principal_secrets', {
  fields: {
    principal: text(({ accountId, principal }) => `${accountId}/${principal}`),
    application: text((it) => it.applicationId),
    createdAt: number((it) => it.createdAt),
  },
  indexes: [['principal', 'createdAt'], ['application']],
  secrets: {
    what: 'OAuth secrets of service principals',
    afterwards: 'They are removed: create new ones for the service principals',
    name: ({ applicationId }) => applicationId,
    remove: () => undefined,
  },
});

/**
 * A user's grant to a client, from the authorization code to the last refresh token. The key is the digest of the handle, which code and
 * refresh tokens start with; of the secret after it, only the digest is stored.
 */
export interface OidcGrant extends Lifetime {
  readonly accountId: string;
  readonly principal: string;
  readonly clientId: string;
  readonly scope: string;
  /** Set until the code is redeemed. */
  readonly code?: { readonly redirectUri: string; readonly challenge?: string } & Lifetime;
  /** Digest of the secret in the code, then in the newest refresh token. */
  readonly secret: string;
}

export const oidcGrants = collection<OidcGrant>('platform.oidc_grants', {
  secrets: {
    what: 'codes and refresh tokens of the data platform',
    afterwards: 'They are left out: users have to sign in again',
    secretKey: true,
    remove: () => undefined,
  },
});

/** A policy to exchange tokens of an issuer for tokens of principals. The key is `policyKey`. */
export interface FederationPolicy {
  readonly id: string;
  readonly uid: string;
  readonly accountId: string;
  /** The service principal that the policy is for. Absent: the users and service principals of the account, as named in the tokens. */
  readonly principal?: string;
  readonly description?: string;
  readonly issuer: string;
  /** If empty, the audience is the id of the account. */
  readonly audiences: readonly string[];
  readonly subject?: string;
  readonly subjectClaim: string;
  /** The issuer's public keys, or their URL. Neither: they are found through the issuer's metadata. */
  readonly jwksJson?: string;
  readonly jwksUri?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const policyPlace = ({ accountId, principal = '' }: Pick<FederationPolicy, 'accountId' | 'principal'>): string =>
  `${accountId}/${principal}`;

export const policyKey = (policy: Pick<FederationPolicy, 'accountId' | 'principal' | 'id'>): string =>
  `${policyPlace(policy)}/${policy.id}`;

export const federationPolicies = collection<FederationPolicy>('platform.federation_policies', {
  fields: {
    place: text(policyPlace),
    issuer: text((it) => it.issuer),
    createdAt: number((it) => it.createdAt),
  },
  indexes: [['place', 'createdAt'], ['issuer']],
});

export const OIDC_COLLECTIONS = [principalSecrets, oidcGrants, federationPolicies] as const;
