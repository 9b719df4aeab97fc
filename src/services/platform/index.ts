import type { Service } from '../../kernel/service/index.ts';
import { PLATFORM_AUDIENCES } from './access/audiences.ts';
import { TOKEN_COLLECTIONS } from './access/token-collections.ts';
import { ACCOUNT_COLLECTIONS } from './accounts/collections.ts';
import { COMPUTE_COLLECTIONS } from './compute/collections.ts';
import { COMPUTE_WORK } from './compute/work.ts';
import { objects } from './engine/objects.ts';
import { PLATFORM_FAMILY } from './family.ts';
import { PLATFORM_LIMITS } from './limits/declared.ts';
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
  collections: [...ACCOUNT_COLLECTIONS, ...COMPUTE_COLLECTIONS, ...TOKEN_COLLECTIONS, objects],
  work: [...COMPUTE_WORK, PURGE_OBJECT],
  limits: PLATFORM_LIMITS,
  audiences: PLATFORM_AUDIENCES,
  open: async (jar) => (await import('./open.ts')).openPlatform(jar),
};
