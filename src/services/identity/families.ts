import type { Application } from '../../kernel/auth/index.ts';

/**
 * The vendor's own tools, which share a refresh token: who signed in to one of them is signed in to all. A script may run
 * many of them at once, and each may renew its tokens, so the shared one is good for more than one use, as in the real service. By client id, in small letters.
 */
const FAMILY: ReadonlySet<string> = new Set([
  // command line
  '04b07795-8ddb-461a-bbee-02f9e1bf7b46',
  // shell modules
  '1950a258-227b-4e31-a9cf-717495945fc2',
]);

const FAMILY_ID = '1';

export const isOfFamily = (clientId: string): boolean => FAMILY.has(clientId.toLowerCase());

/** Tells a library that it may use the refresh token for other tools of the vendor. */
export const familyOf = ({ id }: Application): { readonly foci?: string } =>
  isOfFamily(id) ? { foci: FAMILY_ID } : {};

/** Whether an application may use what another one was granted. */
export const mayShare = (granted: string, asking: string): boolean =>
  granted === asking || (isOfFamily(granted) && isOfFamily(asking));
