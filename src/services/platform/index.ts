import type { Service } from '../../kernel/service/index.ts';
import { PLATFORM_AUDIENCES } from './access/audiences.ts';
import { TOKEN_COLLECTIONS } from './access/token-collections.ts';
import { ACCOUNT_COLLECTIONS } from './accounts/collections.ts';
import { BLOB_COLLECTIONS } from './blobs/collections.ts';
import { DROP_BLOB } from './blobs/work.ts';
import { DBFS_COLLECTIONS } from './dbfs/collections.ts';
import { EXPIRE_HANDLE } from './dbfs/work.ts';
import { objects } from './engine/objects.ts';
import { PLATFORM_FAMILY } from './family.ts';
import { JOB_COLLECTIONS } from './jobs/collections.ts';
import { PLATFORM_LIMITS } from './limits/declared.ts';
import { PURGE_NOTEBOOK } from './notebooks/work.ts';
import { TREE_COLLECTIONS } from './tree/collections.ts';
import { PURGE_DIRECTORY } from './tree/work.ts';
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
    ...BLOB_COLLECTIONS,
    ...DBFS_COLLECTIONS,
    ...JOB_COLLECTIONS,
    ...TOKEN_COLLECTIONS,
    ...TREE_COLLECTIONS,
    objects,
  ],
  work: [DROP_BLOB, EXPIRE_HANDLE, PURGE_DIRECTORY, PURGE_NOTEBOOK, PURGE_OBJECT],
  limits: PLATFORM_LIMITS,
  audiences: PLATFORM_AUDIENCES,
  open: async (jar) => (await import('./open.ts')).openPlatform(jar),
};
