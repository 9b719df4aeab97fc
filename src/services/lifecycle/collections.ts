import { collection, set, text } from '../../kernel/store/index.ts';
import { imprintOf, seededSecret } from './access/secrets.ts';
import type { AppRole, OrgRole, TeamRole } from './roles.ts';

/**
 * Accounts and what they share. Times are ISO texts of the jar's clock. Names and addresses of mail are compared in lower case and kept
 * as they were given. What every request asks for is found by a key and kept in memory.
 */

export interface User {
  readonly id: string;
  /** In addresses; shares its name space with organizations. */
  readonly name: string;
  readonly displayName: string;
  readonly email: string;
  readonly avatarUrl: string | null;
  readonly createdAt: string;
}

/** By their ids. */
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

/** By their ids. */
export const orgs = collection<Org>('lifecycle.orgs', {
  fields: { name: text(({ name }) => name.toLowerCase()) },
  indexes: [['name']],
  cached: true,
});

export interface Owner {
  readonly kind: 'user' | 'org';
  readonly id: string;
}

/** Whom a name in an address means: by the name in lower case. Whoever makes or renames an account writes it in the same transaction. */
export const owners = collection<Owner>('lifecycle.owners', { cached: true });

export interface OrgMember {
  readonly orgId: string;
  readonly userId: string;
  readonly role: OrgRole;
  readonly joinedAt: string;
}

/** By `organization/user`. */
export const orgMembers = collection<OrgMember>('lifecycle.org_members', {
  fields: { orgId: text(({ orgId }) => orgId), userId: text(({ userId }) => userId), role: text(({ role }) => role) },
  indexes: [['orgId'], ['userId']],
  cached: true,
});

/** What the members of a team may do to an app of their organization. */
export interface TeamGrant {
  readonly teamId: string;
  readonly role: AppRole;
}

export interface App {
  readonly id: string;
  /** By which the app itself sends its logs. */
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
  /** Linked by its id. */
  readonly subscriptionId?: string;
}

/** By their ids. */
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

/** The id of an app, by `owner id/name in lower case`. */
export const appNames = collection<{ readonly appId: string }>('lifecycle.app_names', { cached: true });

export interface AppMember {
  readonly appId: string;
  readonly userId: string;
  readonly role: AppRole;
  readonly joinedAt: string;
}

/** Those who were made a part of the app by name, its creator among them: by `app/user`. */
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

/** By their ids. Their apps are with the apps. */
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

/** By `team/user`. */
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
  /** What it is to. */
  readonly appId?: string;
  readonly orgId?: string;
  readonly email: string;
  readonly role: AppRole | OrgRole;
  /** Of an invitation to an app: what one becomes in the organization that owns it; a member unless given. */
  readonly orgRole?: OrgRole;
  readonly invitedBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** By their ids, which whoever accepts one has to name. */
export const invitations = collection<Invitation>('lifecycle.invitations', {
  fields: {
    appId: text(({ appId }) => appId),
    orgId: text(({ orgId }) => orgId),
    email: text(({ email }) => email.toLowerCase()),
    invitedBy: text(({ invitedBy }) => invitedBy),
    createdAt: text(({ createdAt }) => createdAt),
  },
  indexes: [['appId', 'email'], ['orgId', 'email'], ['invitedBy'], ['email']],
});

/** What a token lets through of what its user may do: everything, or to look at. */
export const SCOPES = ['all', 'viewer'] as const;
export type Scope = (typeof SCOPES)[number];

export interface Token {
  readonly id: string;
  /** Who made it, and whose rights it can never exceed. */
  readonly userId: string;
  /** Good for this app only. */
  readonly appId?: string;
  readonly scope: Scope;
  readonly description?: string;
  readonly createdAt: string;
  /** The other half of the hash of the secret. */
  readonly proof: string;
  /** The name of the user in the seed that made it. Its secret follows from the key of the jar, so that another jar can make it anew. */
  readonly seededFor?: string;
}

/** What a request has to know of its token. */
export type HeldToken = Pick<Token, 'id' | 'userId' | 'appId' | 'scope'>;

export function listOf({ userId, appId }: Pick<Token, 'userId' | 'appId'>): string {
  return appId === undefined ? `user/${userId}` : `app/${appId}`;
}

/** By their ids, which are one half of the hash of their secrets. */
export const tokens = collection<Token>('lifecycle.tokens', {
  fields: {
    userId: text(({ userId }) => userId),
    /** Those of the same list: of a user, or of an app. */
    list: text(listOf),
    createdAt: text(({ createdAt }) => createdAt),
  },
  indexes: [['list', 'createdAt'], ['userId']],
  secrets: {
    what: 'API tokens of the app lifecycle',
    afterwards: 'Seeded ones are new, and cloudjar keys shows the first; the others are gone: make new ones',
    name: ({ description = 'without a description' }) => description,
    secretKey: true,
    remove: (token) => (token.seededFor === undefined ? undefined : { ...token, id: '', proof: '' }),
    renew(token, sealer, key) {
      if (token.seededFor === undefined || token.proof !== '') return [key, token];
      const imprint = imprintOf(seededSecret(sealer, token.seededFor));
      return [imprint.id, { ...token, ...imprint }];
    },
  },
});

export interface TokenUse {
  readonly usedAt: string;
  /** That of the token, so that all uses of a list are read at once. */
  readonly list: string;
}

/** When a token was last used, by its id; to the minute. */
export const tokenUses = collection<TokenUse>('lifecycle.token_uses', {
  secrets: {
    what: 'times of last use of API tokens',
    afterwards: 'They are left out with the tokens',
    secretKey: true,
    remove: () => undefined,
  },
  fields: { list: text(({ list }) => list) },
  indexes: [['list']],
});

/** `organization/user`, `app/user`, `team/user`. */
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
