import type { Application } from '../../kernel/auth/index.ts';

/**
 * The vendor's own tools, which share refresh tokens: a user who is signed in to one of them is signed in to all. A script may run several
 * at once, and each may refresh its tokens, so the shared refresh token can be used more than once, as in the real service. Lower-case
 * client ids.
 */
const FAMILY: ReadonlySet<string> = new Set([
  // command-line interface
  '04b07795-8ddb-461a-bbee-02f9e1bf7b46',
  // shell modules
  '1950a258-227b-4e31-a9cf-717495945fc2',
]);

const FAMILY_ID = '1';

export const isOfFamily = (clientId: string): boolean => FAMILY.has(clientId.toLowerCase());

/** Tells a library that the refresh token is also valid for other tools of the family. */
export const familyOf = ({ id }: Application): { readonly foci?: string } =>
  isOfFamily(id) ? { foci: FAMILY_ID } : {};

/** True if an application may use the grant of another one. */
export const mayShare = (granted: string, asking: string): boolean =>
  granted === asking || (isOfFamily(granted) && isOfFamily(asking));
