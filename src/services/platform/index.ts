import type { Service } from '../../kernel/service/index.ts';
import { PLATFORM_AUDIENCES } from './access/audiences.ts';
import { EXPIRE_CREDENTIAL } from './access/credential-work.ts';
import { TOKEN_COLLECTIONS } from './access/token-collections.ts';
import { ACCOUNT_COLLECTIONS } from './accounts/collections.ts';
import { objects } from './engine/objects.ts';
import { PLATFORM_FAMILY } from './family.ts';
import { PLATFORM_LIMITS } from './limits/declared.ts';
import { NETWORK_COLLECTIONS } from './network/collections.ts';
import { OIDC_COLLECTIONS } from './oidc/collections.ts';
import { platformSeed } from './oidc/seed.ts';
import { SECRET_COLLECTIONS } from './secrets/collections.ts';
import { PURGE_OBJECT } from './work.ts';

/** Workspaces of a data platform, with limits that bite. */
export const PLATFORM: Service = {
  name: 'platform',
  title: 'Data platform',
  family: PLATFORM_FAMILY,
  mounts: [
    '/api/1.2',
    '/api/2.0',
    '/api/2.1',
    '/api/2.2',
    '/oidc',
    '/.well-known/databricks-config',
    '/aad/auth',
    // The paths of the table of rate limits.
    '/dbfs',
    '/jobs',
    '/permissions',
    '/secrets',
    '/token-management',
    '/workspace',
    '/git-credentials',
    '/repos',
    '/scim',
    '/account-scim',
  ],
  collections: [
    ...ACCOUNT_COLLECTIONS,
    ...NETWORK_COLLECTIONS,
    ...OIDC_COLLECTIONS,
    ...SECRET_COLLECTIONS,
    ...TOKEN_COLLECTIONS,
    objects,
  ],
  work: [EXPIRE_CREDENTIAL, PURGE_OBJECT],
  limits: PLATFORM_LIMITS,
  audiences: PLATFORM_AUDIENCES,
  seed: platformSeed,
  open: async (jar) => (await import('./open.ts')).openPlatform(jar),
};
