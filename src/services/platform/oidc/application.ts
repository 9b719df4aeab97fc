import { type Application, SEED_TENANT } from '../../../kernel/auth/index.ts';

/** The directory's sign-in page redirects to this path, with a token in a form. */
export const SIGNED_IN_PATH = '/oidc/v1/signed-in';

/** The application under which the platform signs users in at the directory. */
export const SIGN_IN_APPLICATION: Application = {
  id: '10000000-0000-4000-8000-0000000000c5',
  objectId: '10000000-0000-4000-8000-0000000000c6',
  tenantId: SEED_TENANT,
  alias: 'platform-sign-in',
  displayName: 'Data platform',
  public: true,
  implicit: true,
  redirectUris: [SIGNED_IN_PATH],
};
