import { type Application, SEED_TENANT } from '../../../kernel/auth/index.ts';
import { MAIL_AUDIENCES } from '../access/audiences.ts';
import { MAIL_PATH } from './names.ts';

/** The redirect URI of the sign-in. */
export const SIGNED_IN_PATH = `${MAIL_PATH}/signed-in`;

/** Scopes of the page's token. */
export const PAGE_SCOPE = ['Mail.ReadWrite', 'Calendars.ReadWrite', 'User.Read']
  .map((permission) => `${MAIL_AUDIENCES[0]}/${permission}`)
  .join(' ');

/** The public client with which the mail page signs users in: authorization code with PKCE. */
export const PAGE_APPLICATION: Application = {
  id: '10000000-0000-4000-8000-0000000000e1',
  objectId: '10000000-0000-4000-8000-0000000000e2',
  tenantId: SEED_TENANT,
  alias: 'mail-page',
  displayName: 'Mail',
  public: true,
  implicit: false,
  redirectUris: [SIGNED_IN_PATH],
};
