import { type Application, SEED_TENANT } from '../../../kernel/auth/index.ts';
import { NAMESPACE } from '../names.ts';

/** Where the sign-in page sends new owners back to. */
export const SIGNED_IN_PATH = `/providers/${NAMESPACE}/acceptOwnership`;

/** What the page asks for: a bare permission is one of the management API, by whatever address the jar is reached. */
export const OWNERSHIP_SCOPE = 'user_impersonation';

/** As which the page for new owners signs them in, by a code with a proof key. */
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
