import { type Application, SEED_TENANT } from '../../../kernel/auth/index.ts';

/** Where the directory's sign-in page sends people back to, with a token in a form. */
export const SIGNED_IN_PATH = '/oidc/v1/signed-in';

/** As which the platform signs people in at the directory. */
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
