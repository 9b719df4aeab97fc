import { collection, text } from '../../../kernel/store/index.ts';

/** The tenant's account on the platform. The key is its id. */
export interface Account {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  /** Used where nothing in a call names a workspace. */
  readonly defaultWorkspace: string;
  readonly createdAt: number;
}

/** A workspace. The key is its id, which is digits. */
export interface Workspace {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly deploymentName: string;
  readonly region: string;
  readonly status: 'PROVISIONING' | 'RUNNING' | 'FAILED' | 'BANNED' | 'CANCELLING';
  /** The group of its administrators, and that of everybody in it. */
  readonly adminsGroup: string;
  readonly usersGroup: string;
  readonly createdAt: number;
}

export type PrincipalKind = 'user' | 'servicePrincipal' | 'group';

/** Somebody who can be given permissions. The key is `principalKey`. Ids are digits and unique in an account, whatever the kind. */
export interface Principal {
  readonly id: string;
  readonly accountId: string;
  readonly kind: PrincipalKind;
  /** Of groups that only one workspace has, such as its `admins` and `users`. */
  readonly workspaceId?: string;
  /** Of users: an e-mail address. */
  readonly userName?: string;
  /** Of service principals. */
  readonly applicationId?: string;
  readonly displayName?: string;
  readonly name?: { readonly givenName?: string; readonly familyName?: string };
  readonly emails?: readonly { readonly value: string; readonly type?: string; readonly primary?: boolean }[];
  readonly externalId?: string;
  readonly active: boolean;
  /** `account_admin`. */
  readonly roles: readonly string[];
  /** In the directory: callers with the directory's tokens are found by it. */
  readonly objectId?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Somebody directly in a group. The key is `membershipKey`. */
export interface Membership {
  readonly accountId: string;
  readonly group: string;
  readonly member: string;
}

/** What somebody is allowed in one workspace, apart from permissions on objects. The key is the workspace's id, `/` and the principal's. */
export interface Entitlements {
  readonly entitlements: readonly string[];
}

/** Written by every transaction that changes principals, memberships or entitlements of an account: memory of them is as old as its etag. */
export interface IdentityVersion {
  readonly changedAt: number;
}

export const accounts = collection<Account>('platform.accounts', {
  fields: { tenant: text((it) => it.tenantId.toLowerCase()) },
  indexes: [['tenant']],
  cached: true,
});

export const workspaces = collection<Workspace>('platform.workspaces', {
  fields: { account: text((it) => it.accountId), name: text((it) => it.name.toLowerCase()) },
  indexes: [['account', 'name']],
  cached: true,
});

/** In which list a principal is: those of an account by kind, and the groups of each workspace. */
export const principalPlace = (accountId: string, kind: PrincipalKind, workspaceId?: string): string =>
  `${accountId}/${kind}${workspaceId === undefined ? '' : `/${workspaceId}`}`;

/** What no two of a place have alike: the name to sign in with, the application, the name of a group. */
export const loginOf = ({ kind, userName, applicationId, displayName }: Principal): string =>
  ((kind === 'user' ? userName : kind === 'group' ? displayName : applicationId) ?? '').toLowerCase();

export const principals = collection<Principal>('platform.principals', {
  fields: {
    place: text(({ accountId, kind, workspaceId }) => principalPlace(accountId, kind, workspaceId)),
    login: text(loginOf),
    display: text((it) => it.displayName?.toLowerCase()),
    external: text((it) => it.externalId),
    object: text(({ accountId, objectId }) => objectId && `${accountId}/${objectId.toLowerCase()}`),
  },
  indexes: [['place', 'login'], ['place', 'display'], ['object']],
});

export const memberships = collection<Membership>('platform.memberships', {
  fields: {
    group: text(({ accountId, group }) => `${accountId}/${group}`),
    member: text(({ accountId, member }) => `${accountId}/${member}`),
  },
  indexes: [['group'], ['member']],
});

export const entitlements = collection<Entitlements>('platform.entitlements');

export const identityVersions = collection<IdentityVersion>('platform.identity_versions', { cached: true });

export const principalKey = (accountId: string, id: string): string => `${accountId}/${id}`;
export const membershipKey = (accountId: string, group: string, member: string): string =>
  `${accountId}/${group}/${member}`;

export const ACCOUNT_COLLECTIONS = [
  accounts,
  workspaces,
  principals,
  memberships,
  entitlements,
  identityVersions,
] as const;
