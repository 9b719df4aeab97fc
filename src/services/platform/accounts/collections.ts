import { boolean, collection, number, set, text } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';

/** The role of account administrators. */
export const ACCOUNT_ADMIN = 'account_admin';

/** A tenant's account on the platform. The key is its id. */
export interface Account {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  /** Used if a call names no workspace. */
  readonly defaultWorkspace: string;
  readonly createdAt: number;
}

/** A workspace. The key is its id, a number in decimal digits. */
export interface Workspace {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly deploymentName: string;
  readonly region: string;
  readonly status: 'PROVISIONING' | 'RUNNING' | 'FAILED' | 'BANNED' | 'CANCELLING';
  /** The group of its administrators, and the group of all its members. */
  readonly adminsGroup: string;
  readonly usersGroup: string;
  readonly createdAt: number;
  /** Further fields that were sent when the workspace was created or changed: pricing tier, tags, network. */
  readonly details?: JsonMembers;
}

export type PrincipalKind = 'user' | 'servicePrincipal' | 'group';

/** A user, group or service principal. The key is `principalKey`. Ids are decimal digits and unique in an account, across all kinds. */
export interface Principal {
  readonly id: string;
  readonly accountId: string;
  readonly kind: PrincipalKind;
  /** Set for groups that belong to one workspace, such as its `admins` and `users`. */
  readonly workspaceId?: string;
  /** Set for the groups `admins` and `users`, which every workspace needs. */
  readonly system?: true;
  /**
   * The workspaces that the principal is directly assigned to. Members of an assigned group are assigned too, but their documents do not
   * repeat it.
   */
  readonly workspaces?: readonly string[];
  /** The workspaces whose administrators have deactivated the principal. */
  readonly inactiveIn?: readonly string[];
  /** For users: an e-mail address. */
  readonly userName?: string;
  /** For service principals. */
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

/** A direct member of a group. The key is `membershipKey`. */
export interface Membership {
  readonly accountId: string;
  readonly group: string;
  readonly member: string;
  /** The kind of the member. */
  readonly kind: PrincipalKind;
  /** The group is a system group: the membership is an assignment, and counts neither as a parent nor as a nesting layer. */
  readonly system?: true;
}

/** Entitlements and roles of a principal in one workspace; permissions on objects are stored elsewhere. The key is `entitlementsKey`. */
export interface Entitlements {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly principal: string;
  readonly entitlements: readonly string[];
  /** Roles in this workspace; roles in the account are stored with the principal. */
  readonly roles: readonly string[];
}

/**
 * Marks a user or application of the directory that was deleted from the account: its next call does not create a principal again. The key
 * is the account's id, `/` and the object's id.
 */
export interface RemovedObject {
  readonly removedAt: number;
}

/**
 * Written by every transaction that changes principals, memberships or entitlements of an account. Its etag is the version of cached
 * identities.
 */
export interface IdentityVersion {
  readonly changedAt: number;
}

/** Assigns roles on an account, on one of its groups or on one of its service principals. The key is `ruleSetKey`. */
export interface RuleSet {
  readonly accountId: string;
  /** The id of the group or service principal. Absent: the rule set is about the account. */
  readonly principal?: string;
  readonly rules: readonly {
    readonly role: string;
    /** Ids of principals. */
    readonly principals: readonly string[];
  }[];
}

export const ruleSetKey = ({ accountId, principal = '' }: Pick<RuleSet, 'accountId' | 'principal'>): string =>
  `${accountId}/${principal}`;

export const ruleSets = collection<RuleSet>('platform.rule_sets', { cached: true });

export const accounts = collection<Account>('platform.accounts', {
  fields: { tenant: text((it) => it.tenantId.toLowerCase()) },
  indexes: [['tenant']],
  cached: true,
});

export const workspaces = collection<Workspace>('platform.workspaces', {
  fields: {
    account: text((it) => it.accountId),
    name: text((it) => it.name.toLowerCase()),
    deployment: text((it) => it.deploymentName.toLowerCase()),
  },
  indexes: [
    ['account', 'name'],
    ['account', 'deployment'],
  ],
  cached: true,
});

/** The list that contains a principal: the lists of an account by kind, and the groups of each workspace. */
export const principalPlace = (accountId: string, kind: PrincipalKind, workspaceId?: string): string =>
  `${accountId}/${kind}${workspaceId === undefined ? '' : `/${workspaceId}`}`;

/** The name that is unique within `place`: the user name, the application id or the group name. */
export const loginOf = ({ kind, userName, applicationId, displayName }: Principal): string =>
  ((kind === 'user' ? userName : kind === 'group' ? displayName : applicationId) ?? '').toLowerCase();

export const principals = collection<Principal>('platform.principals', {
  fields: {
    id: text((it) => it.id),
    place: text(({ accountId, kind, workspaceId }) => principalPlace(accountId, kind, workspaceId)),
    login: text(loginOf),
    display: text((it) => it.displayName?.toLowerCase()),
    external: text((it) => it.externalId),
    object: text(({ accountId, objectId }) => objectId && `${accountId}/${objectId.toLowerCase()}`),
    active: boolean((it) => it.active),
    createdAt: number((it) => it.createdAt),
    updatedAt: number((it) => it.updatedAt),
    emails: set(({ emails = [] }) => emails.map(({ value }) => value.toLowerCase())),
    workspaces: set((it) => it.workspaces ?? []),
    inactiveIn: set((it) => it.inactiveIn ?? []),
    roles: set((it) => it.roles),
  },
  indexes: [
    ['id'],
    ['place', 'login'],
    ['place', 'display'],
    ['place', 'external'],
    ['place', 'createdAt'],
    ['object'],
  ],
});

export const memberships = collection<Membership>('platform.memberships', {
  fields: {
    group: text(({ accountId, group }) => `${accountId}/${group}`),
    member: text(({ accountId, member }) => `${accountId}/${member}`),
    /** Direct parents, excluding assignments. */
    child: text(({ accountId, member, system }) => (system ? undefined : `${accountId}/${member}`)),
    /** Groups that are members of groups, excluding assignments. */
    above: text(({ accountId, group, kind, system }) =>
      kind === 'group' && !system ? `${accountId}/${group}` : undefined,
    ),
  },
  indexes: [['group', 'member'], ['member'], ['child'], ['above']],
});

export const entitlements = collection<Entitlements>('platform.entitlements', {
  fields: {
    principal: text(({ accountId, principal }) => `${accountId}/${principal}`),
    workspace: text((it) => it.workspaceId),
  },
  indexes: [['principal'], ['workspace']],
});

export const removedObjects = collection<RemovedObject>('platform.removed_objects');

export const identityVersions = collection<IdentityVersion>('platform.identity_versions', { cached: true });

export const principalKey = (accountId: string, id: string): string => `${accountId}/${id}`;
export const membershipKey = (accountId: string, group: string, member: string): string =>
  `${accountId}/${group}/${member}`;

export const entitlementsKey = (workspaceId: string, principal: string): string => `${workspaceId}/${principal}`;
export const removedKey = (accountId: string, objectId: string): string => `${accountId}/${objectId.toLowerCase()}`;

export const ACCOUNT_COLLECTIONS = [
  accounts,
  workspaces,
  principals,
  memberships,
  entitlements,
  removedObjects,
  identityVersions,
  ruleSets,
] as const;
