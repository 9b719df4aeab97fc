import type { Service } from '../../kernel/service/index.ts';
import { PLATFORM_AUDIENCES } from './access/audiences.ts';
import { EXPIRE_CREDENTIAL } from './access/credential-work.ts';
import { TOKEN_COLLECTIONS } from './access/token-collections.ts';
import { ACCOUNT_COLLECTIONS } from './accounts/collections.ts';
import { ACCOUNT_WORK } from './accounts/work.ts';
import { APP_COLLECTIONS } from './apps/collections.ts';
import { APP_WORK } from './apps/work.ts';
import { BLOB_COLLECTIONS } from './blobs/collections.ts';
import { ABANDON_BLOB, DROP_BLOB } from './blobs/work.ts';
import { CATALOG_COLLECTIONS } from './catalog/core/collections.ts';
import { CATALOG_WORK } from './catalog/core/work.ts';
import { SHARING_COLLECTIONS } from './catalog/sharing/collections.ts';
import { SHARING_WORK } from './catalog/sharing/work.ts';
import { TABLE_COLLECTIONS } from './catalog/tables/collections.ts';
import { TABLE_WORK } from './catalog/tables/work.ts';
import { CLEAN_ROOM_COLLECTIONS } from './clean-rooms/collections.ts';
import { CLEAN_ROOM_WORK } from './clean-rooms/work.ts';
import { COMPUTE_COLLECTIONS } from './compute/collections.ts';
import { COMPUTE_WORK } from './compute/work.ts';
import { DBFS_COLLECTIONS } from './dbfs/collections.ts';
import { EXPIRE_HANDLE } from './dbfs/work.ts';
import { NOTIFICATION_POLICY_NAMES } from './destinations/policy-names.ts';
import { objects } from './engine/objects.ts';
import { PLATFORM_FAMILY } from './family.ts';
import { FILE_COLLECTIONS } from './files/collections.ts';
import { FILE_WORK } from './files/work.ts';
import { GIT_COLLECTIONS } from './git/collections.ts';
import { ABANDON_CHECKOUT } from './git/work.ts';
import { SPREAD_ACL } from './jobs/api/work.ts';
import { JOB_COLLECTIONS } from './jobs/collections.ts';
import { WARN_DURATION } from './jobs/notifications/work.ts';
import { CONTAINER_COLLECTIONS } from './jobs/running/container-collections.ts';
import { RUNNING_WORK } from './jobs/running/work.ts';
import { SCHEDULE_WORK } from './jobs/schedule/work.ts';
import { TRIGGER_COLLECTIONS } from './jobs/triggers/collections.ts';
import { TRIGGER_WORK } from './jobs/triggers/work.ts';
import { SEND_DASHBOARD } from './lakeview/work.ts';
import { PLATFORM_LIMITS } from './limits/declared.ts';
import { INCREASE_COLLECTIONS } from './limits/increases/collections.ts';
import { MARKET_COLLECTIONS } from './marketplace/collections.ts';
import { MONITOR_COLLECTIONS } from './monitors/collections.ts';
import { MONITOR_WORK } from './monitors/work.ts';
import { NETWORK_COLLECTIONS } from './network/collections.ts';
import { CONNECTIVITY_COLLECTIONS } from './network/connectivity/collections.ts';
import { STEP_ENDPOINT } from './network/connectivity/work.ts';
import { PURGE_NOTEBOOK } from './notebooks/work.ts';
import { OIDC_COLLECTIONS } from './oidc/collections.ts';
import { platformSeed } from './oidc/seed.ts';
import { PERMISSION_COLLECTIONS } from './permissions/collections.ts';
import { PIPELINE_COLLECTIONS } from './pipelines/collections.ts';
import { PIPELINE_WORK } from './pipelines/work.ts';
import { REGISTRY_COLLECTIONS } from './registry/collections.ts';
import { WEBHOOK_COLLECTIONS } from './registry/webhooks/collections.ts';
import { REGISTRY_POLICY_NAMES } from './registry/webhooks/policy-names.ts';
import { REGISTRY_WORK } from './registry/work.ts';
import { SECRET_COLLECTIONS } from './secrets/collections.ts';
import { SERVING_COLLECTIONS } from './serving/collections.ts';
import { SERVING_WORK } from './serving/work.ts';
import { EVALUATE_ALERT } from './sql/evaluation/work.ts';
import { RESULT_COLLECTIONS } from './sql/results/collections.ts';
import { TRACKING_COLLECTIONS } from './tracking/collections.ts';
import { MODEL_COLLECTIONS } from './tracking/models/collections.ts';
import { PURGE_LOGGED_MODEL } from './tracking/models/work.ts';
import { TRACE_COLLECTIONS } from './tracking/traces/collections.ts';
import { TRACKING_WORK } from './tracking/work.ts';
import { TREE_COLLECTIONS } from './tree/collections.ts';
import { PURGE_DIRECTORY } from './tree/work.ts';
import { WAREHOUSE_COLLECTIONS } from './warehouses/collections.ts';
import { STATEMENT_COLLECTIONS } from './warehouses/statements/collections.ts';
import { STATEMENT_WORK } from './warehouses/statements/work.ts';
import { WAREHOUSE_WORK } from './warehouses/work.ts';
import { PURGE_OBJECT, REMOVE_CHILDREN } from './work.ts';

/** Workspaces of a data platform, with enforced limits. */
export const PLATFORM: Service = {
  name: 'platform',
  title: 'Data platform',
  family: PLATFORM_FAMILY,
  mounts: [
    '/api/1.2',
    '/api/2.0',
    '/api/2.1',
    '/api/2.2',
    '/api/data-quality',
    '/api/3.0',
    '/oidc',
    '/.well-known/databricks-config',
    '/aad/auth',
    '/delta-sharing',
    '/delta_sharing',
    // The paths in the table of rate limits.
    '/catalog',
    '/dbfs',
    '/jobs',
    '/marketplace-consumer',
    '/marketplace-provider',
    '/permissions',
    '/secrets',
    '/token-management',
    '/workspace',
    '/git-credentials',
    '/repos',
    '/scim',
    '/account-scim',
    // Queries to serving endpoints.
    '/serving-endpoints',
    '/ml',
    // Called by the pages of the tracking server.
    '/ajax-api/2.0/mlflow',
    '/ajax-api/3.0/mlflow',
    '/ajax-api/2.0/mlflow-artifacts',
    '/get-artifact',
    '/model-versions',
  ],
  collections: [
    ...ACCOUNT_COLLECTIONS,
    ...CONTAINER_COLLECTIONS,
    ...JOB_COLLECTIONS,
    ...MARKET_COLLECTIONS,
    ...MONITOR_COLLECTIONS,
    ...NETWORK_COLLECTIONS,
    ...OIDC_COLLECTIONS,
    ...PERMISSION_COLLECTIONS,
    ...SECRET_COLLECTIONS,
    ...TOKEN_COLLECTIONS,
    ...TRIGGER_COLLECTIONS,
    objects,
    ...BLOB_COLLECTIONS,
    ...CATALOG_COLLECTIONS,
    ...CLEAN_ROOM_COLLECTIONS,
    ...SHARING_COLLECTIONS,
    ...TABLE_COLLECTIONS,
    ...DBFS_COLLECTIONS,
    ...FILE_COLLECTIONS,
    ...GIT_COLLECTIONS,
    ...TREE_COLLECTIONS,
    ...INCREASE_COLLECTIONS,
    ...COMPUTE_COLLECTIONS,
    ...RESULT_COLLECTIONS,
    ...WAREHOUSE_COLLECTIONS,
    ...STATEMENT_COLLECTIONS,
    ...SERVING_COLLECTIONS,
    ...APP_COLLECTIONS,
    ...TRACKING_COLLECTIONS,
    ...MODEL_COLLECTIONS,
    ...TRACE_COLLECTIONS,
    ...REGISTRY_COLLECTIONS,
    ...WEBHOOK_COLLECTIONS,
    ...PIPELINE_COLLECTIONS,
    ...CONNECTIVITY_COLLECTIONS,
  ],
  work: [
    // One per line.
    ...ACCOUNT_WORK,
    ...CATALOG_WORK,
    ...CLEAN_ROOM_WORK,
    ...MONITOR_WORK,
    ...SHARING_WORK,
    ...FILE_WORK,
    ...TABLE_WORK,
    ...RUNNING_WORK,
    ...SCHEDULE_WORK,
    ...TRIGGER_WORK,
    SPREAD_ACL,
    WARN_DURATION,
    EXPIRE_CREDENTIAL,
    PURGE_OBJECT,
    ABANDON_BLOB,
    ABANDON_CHECKOUT,
    DROP_BLOB,
    EVALUATE_ALERT,
    EXPIRE_HANDLE,
    PURGE_DIRECTORY,
    PURGE_LOGGED_MODEL,
    PURGE_NOTEBOOK,
    REMOVE_CHILDREN,
    SEND_DASHBOARD,
    ...COMPUTE_WORK,
    ...WAREHOUSE_WORK,
    ...STATEMENT_WORK,
    ...SERVING_WORK,
    ...APP_WORK,
    ...TRACKING_WORK,
    ...REGISTRY_WORK,
    ...PIPELINE_WORK,
    STEP_ENDPOINT,
  ],
  policies: [...NOTIFICATION_POLICY_NAMES, ...REGISTRY_POLICY_NAMES],
  limits: PLATFORM_LIMITS,
  settings: { load: async () => (await import('./settings-schema.ts')).settingsRules },
  audiences: PLATFORM_AUDIENCES,
  seed: platformSeed,
  open: async (jar) => (await import('./open.ts')).openPlatform(jar),
};
