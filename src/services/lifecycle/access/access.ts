import type { App, HeldToken, Org, User } from '../collections.ts';
import type { AppStanding, OrgRole } from '../roles.ts';

/** What the gateway found out about a call, for its handler. */
export interface Access {
  readonly token: HeldToken;
  /** Whose token it is; of a token of an app, who made it. */
  readonly user: User;
  /** Where the address names an app: it, and what the caller may do to it. */
  readonly app?: App;
  readonly standing?: AppStanding;
  /** Where the address names an organization: it, and what the user is in it. */
  readonly org?: Org;
  readonly orgRole?: OrgRole;
}

interface Facts {
  readonly facts: { readonly access?: Access };
}

export const accessOf = ({ facts }: Facts): Access => facts.access as Access;
export const userOf = (call: Facts): User => accessOf(call).user;
/** Only in operations on an app. */
export const appOf = (call: Facts): App => accessOf(call).app as App;
/** Only in operations on an organization. */
export const orgOf = (call: Facts): Org => accessOf(call).org as Org;
