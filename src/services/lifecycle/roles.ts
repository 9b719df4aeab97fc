/** Roles in an app and in an organization, lowest first. */

export const APP_ROLES = ['viewer', 'developer', 'manager'] as const;
export type AppRole = (typeof APP_ROLES)[number];

export const ORG_ROLES = ['member', 'collaborator', 'admin'] as const;
export type OrgRole = (typeof ORG_ROLES)[number];

export const TEAM_ROLES = ['collaborator', 'maintainer'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

/** Above every role that can be granted: the app's owner, or an admin of the organization that owns it. */
export type AppStanding = AppRole | 'administrator';

const APP_STANDINGS: readonly AppStanding[] = [...APP_ROLES, 'administrator'];

export const appRank = (standing: AppStanding): number => APP_STANDINGS.indexOf(standing);
export const orgRank = (role: OrgRole): number => ORG_ROLES.indexOf(role);

export const higher = (a: AppStanding | undefined, b: AppStanding | undefined): AppStanding | undefined =>
  a === undefined || (b !== undefined && appRank(b) > appRank(a)) ? b : a;

export const lower = (a: AppStanding, b: AppStanding): AppStanding => (appRank(a) < appRank(b) ? a : b);
