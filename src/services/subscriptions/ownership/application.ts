import { type Application, SEED_TENANT } from '../../../kernel/auth/index.ts';
import { NAMESPACE } from '../names.ts';

/** The redirect URI of the sign-in. */
export const SIGNED_IN_PATH = `/providers/${NAMESPACE}/acceptOwnership`;

/** The scope that the page requests: a permission without a resource belongs to the management API, whatever the jar's address is. */
export const OWNERSHIP_SCOPE = 'user_impersonation';

/** The client application with which the page signs in new owners (authorization code with PKCE). */
export const OWNERSHIP_APPLICATION: Application = {
  id: '10000000-0000-4000-8000-0000000000d1',
  objectId: '10000000-0000-4000-8000-0000000000d2',
  tenantId: SEED_TENANT,
  alias: 'ownership-page',
  displayName: 'Subscription ownership',
  public: true,
  implicit: false,
  redirectUris: [SIGNED_IN_PATH],
};
