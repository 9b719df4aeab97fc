import { collection, set, text } from '../../kernel/store/index.ts';
import { secretHashOf, seededSecret } from './access/secrets.ts';
import type { AppRole, OrgRole, TeamRole } from './roles.ts';

/**
 * Accounts and what they own. Times are ISO texts of the jar's clock. Names and email addresses are compared in lower case and stored as
 * given. Documents that every request needs are cached and keyed for direct lookup.
 */

export interface User {
  readonly id: string;
  /** Used in URLs; shares its namespace with organizations. */
  readonly name: string;
  readonly displayName: string;
  readonly email: string;
  readonly avatarUrl: string | null;
  readonly createdAt: string;
}

/** Keyed by id. */
export const users = collection<User>('lifecycle.users', {
  fields: { name: text(({ name }) => name.toLowerCase()), email: text(({ email }) => email.toLowerCase()) },
  indexes: [['name'], ['email']],
  cached: true,
});

export interface Org {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
  readonly avatarUrl: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Keyed by id. */
export const orgs = collection<Org>('lifecycle.orgs', {
  fields: { name: text(({ name }) => name.toLowerCase()) },
  indexes: [['name']],
  cached: true,
});

export interface Owner {
  readonly kind: 'user' | 'org';
  readonly id: string;
}

/** The account behind a name in a URL, keyed by the name in lower case. Written in the transaction that creates or renames an account. */
export const owners = collection<Owner>('lifecycle.owners', { cached: true });

export interface OrgMember {
  readonly orgId: string;
  readonly userId: string;
  readonly role: OrgRole;
  readonly joinedAt: string;
}

/** Keyed by `organization/user`. */
export const orgMembers = collection<OrgMember>('lifecycle.org_members', {
  fields: { orgId: text(({ orgId }) => orgId), userId: text(({ userId }) => userId), role: text(({ role }) => role) },
  indexes: [['orgId'], ['userId']],
  cached: true,
});

/** The role of a team's members in an app of their organization. */
export interface TeamGrant {
  readonly teamId: string;
  readonly role: AppRole;
}

export interface App {
  readonly id: string;
  /** With this secret the app itself sends its logs. */
  readonly secret: string;
  readonly owner: Owner;
  readonly name: string;
  readonly displayName: string;
  readonly description: string | null;
  readonly iconUrl: string | null;
  readonly os: string;
  readonly platform: string;
  readonly releaseType: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly teams: readonly TeamGrant[];
  /** Id of the linked subscription. */
  readonly subscriptionId?: string;
}

/** Keyed by id. */
export const apps = collection<App>('lifecycle.apps', {
  fields: {
    ownerId: text(({ owner }) => owner.id),
    name: text(({ name }) => name.toLowerCase()),
    secret: text(({ secret }) => secret.toLowerCase()),
    teamIds: set(({ teams }) => teams.map(({ teamId }) => teamId)),
  },
  indexes: [['ownerId', 'name'], ['secret']],
  cached: true,
});

/** The id of an app, keyed by `owner id/name in lower case`. */
export const appNames = collection<{ readonly appId: string }>('lifecycle.app_names', { cached: true });

export interface AppMember {
  readonly appId: string;
  readonly userId: string;
  readonly role: AppRole;
  readonly joinedAt: string;
}

/** Collaborators with a direct role, including the app's creator. Keyed by `app/user`. */
export const appMembers = collection<AppMember>('lifecycle.app_members', {
  fields: { appId: text(({ appId }) => appId), userId: text(({ userId }) => userId), role: text(({ role }) => role) },
  indexes: [['appId'], ['userId']],
  cached: true,
});

export interface Team {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly displayName: string;
  readonly description: string | null;
}

/** Keyed by id. The roles of a team in apps are stored with the apps. */
export const teams = collection<Team>('lifecycle.teams', {
  fields: { orgId: text(({ orgId }) => orgId), name: text(({ name }) => name.toLowerCase()) },
  indexes: [['orgId', 'name']],
});

export interface TeamMember {
  readonly teamId: string;
  readonly orgId: string;
  readonly userId: string;
  readonly role: TeamRole;
}

/** Keyed by `team/user`. */
export const teamMembers = collection<TeamMember>('lifecycle.team_members', {
  fields: {
    teamId: text(({ teamId }) => teamId),
    orgId: text(({ orgId }) => orgId),
    userId: text(({ userId }) => userId),
  },
  indexes: [['teamId'], ['userId']],
  cached: true,
});

export interface Invitation {
  readonly id: string;
  /** The target: an app or an organization. */
  readonly appId?: string;
  readonly orgId?: string;
  readonly email: string;
  readonly role: AppRole | OrgRole;
  /** App invitations only: the role in the organization that owns the app. Default: member. */
  readonly orgRole?: OrgRole;
  readonly invitedBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** Keyed by id, which is a secret: a user accepts an invitation by naming it. */
export const invitations = collection<Invitation>('lifecycle.invitations', {
  secrets: {
    what: 'invitations',
    afterwards: 'They are left out: the people have to be invited again',
    secretKey: true,
    remove: () => undefined,
  },
  fields: {
    appId: text(({ appId }) => appId),
    orgId: text(({ orgId }) => orgId),
    email: text(({ email }) => email.toLowerCase()),
    invitedBy: text(({ invitedBy }) => invitedBy),
    createdAt: text(({ createdAt }) => createdAt),
  },
  indexes: [['appId', 'email'], ['orgId', 'email'], ['invitedBy'], ['email']],
});

/** A token grants all rights of its user, or only read access. */
export const SCOPES = ['all', 'viewer'] as const;
export type Scope = (typeof SCOPES)[number];

export interface Token {
  readonly id: string;
  /** The user who created the token; it never exceeds this user's rights. */
  readonly userId: string;
  /** Set if the token is valid for this app only. */
  readonly appId?: string;
  readonly scope: Scope;
  readonly description?: string;
  readonly createdAt: string;
  /** The second half of the hash of the secret. */
  readonly proof: string;
  /** The seeded user's name. The token's secret is derived from the jar's key, so that another jar can recreate the token. */
  readonly seededFor?: string;
}

/** The properties of a token that requests need. */
export type HeldToken = Pick<Token, 'id' | 'userId' | 'appId' | 'scope'> & {
  /** The token of people who may only look. Unlike the tokens of viewers, it shows no secrets. */
  readonly isReader?: true;
};

export function listOf({ userId, appId }: Pick<Token, 'userId' | 'appId'>): string {
  return appId === undefined ? `user/${userId}` : `app/${appId}`;
}

/** Keyed by id, which is the first half of the hash of the secret. */
export const tokens = collection<Token>('lifecycle.tokens', {
  fields: {
    userId: text(({ userId }) => userId),
    /** The list that contains the token: of a user or of an app. */
    list: text(listOf),
    createdAt: text(({ createdAt }) => createdAt),
  },
  indexes: [['list', 'createdAt'], ['userId']],
  secrets: {
    what: 'API tokens of the app lifecycle',
    afterwards: 'Seeded tokens are new, and cloudjar keys shows the first; the others are missing: create new ones',
    name: ({ description = 'without a description' }) => description,
    secretKey: true,
    remove: (token) => (token.seededFor === undefined ? undefined : { ...token, id: '', proof: '' }),
    renew(token, sealer, key) {
      if (token.seededFor === undefined || token.proof !== '') return [key, token];
      const imprint = secretHashOf(seededSecret(sealer, token.seededFor));
      return [imprint.id, { ...token, ...imprint }];
    },
  },
});

export interface TokenUse {
  readonly usedAt: string;
  /** The token's list, so that all uses of a list are read at once. */
  readonly list: string;
}

/** Last use of each token, to the minute. Keyed by token id. */
export const tokenUses = collection<TokenUse>('lifecycle.token_uses', {
  secrets: {
    what: 'times of last use of API tokens',
    afterwards: 'They are omitted together with the tokens',
    secretKey: true,
    remove: () => undefined,
  },
  fields: { list: text(({ list }) => list) },
  indexes: [['list']],
});

/** The key `organization/user`, `app/user` or `team/user`. */
export const pair = (ofId: string, userId: string): string => `${ofId}/${userId}`;
export const nameKey = (ownerId: string, name: string): string => `${ownerId}/${name.toLowerCase()}`;

export const ACCOUNT_COLLECTIONS = [
  users,
  orgs,
  owners,
  orgMembers,
  apps,
  appNames,
  appMembers,
  teams,
  teamMembers,
  invitations,
  tokens,
  tokenUses,
];
