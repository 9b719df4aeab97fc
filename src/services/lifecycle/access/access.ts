import type { App, HeldToken, Org, User } from '../collections.ts';
import type { AppStanding, OrgRole } from '../roles.ts';

/** The gateway's findings about a call, for its handler. */
export interface Access {
  readonly token: HeldToken;
  /** The token's user; for an app token, the user who created it. */
  readonly user: User;
  /** Set if the URL names an app: the app, and the caller's standing in it. */
  readonly app?: App;
  readonly standing?: AppStanding;
  /** Set if the URL names an organization: the organization, and the user's role in it. */
  readonly org?: Org;
  readonly orgRole?: OrgRole;
}

interface Facts {
  readonly facts: { readonly access?: Access };
}

export const accessOf = ({ facts }: Facts): Access => facts.access as Access;
export const userOf = (call: Facts): User => accessOf(call).user;
/** Only valid in operations on an app. */
export const appOf = (call: Facts): App => accessOf(call).app as App;
/** Only valid in operations on an organization. */
export const orgOf = (call: Facts): Org => accessOf(call).org as Org;
