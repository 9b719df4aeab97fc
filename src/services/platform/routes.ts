import type { Route } from '../../kernel/http/index.ts';
import { DISCOVERY_OPERATIONS } from './accounts/discovery.ts';
import { ACCOUNT_OPERATIONS } from './accounts/operations.ts';
import { OWN_ASSIGNMENT_OPERATIONS } from './accounts/own-assignments.ts';
import { RULE_SET_OPERATIONS } from './accounts/rule-set-operations.ts';
import { APP_OPERATIONS } from './apps/operations.ts';
import { CATALOG_OPERATIONS } from './catalog/operations.ts';
import { ACTIVATION_ROUTES } from './catalog/sharing/recipients/activation.ts';
import { CLEAN_ROOM_OPERATIONS } from './clean-rooms/operations.ts';
import { COMPUTE_OPERATIONS } from './compute/operations.ts';
import { DBFS_OPERATIONS } from './dbfs/operations.ts';
import { DESTINATION_OPERATIONS } from './destinations/kind.ts';
import { FILE_OPERATIONS } from './files/operations.ts';
import { GIT_CREDENTIAL_OPERATIONS } from './git/credential-operations.ts';
import { REPO_OPERATIONS } from './git/operations.ts';
import { JOB_OPERATIONS } from './jobs/api/operations.ts';
import { LIMIT_OPERATIONS } from './limits/display.ts';
import { INCREASE_OPERATIONS } from './limits/increases/operations.ts';
import { MARKET_OPERATIONS } from './marketplace/operations.ts';
import { MONITOR_OPERATIONS } from './monitors/operations.ts';
import { ACCOUNT_SETTING_OPERATIONS } from './network/account-setting.ts';
import { CONNECTIVITY_OPERATIONS } from './network/connectivity/operations.ts';
import { IP_ACCESS_OPERATIONS } from './network/ip-access-lists.ts';
import { WORKSPACE_CONF_OPERATIONS } from './network/workspace-conf.ts';
import { NOTEBOOK_OPERATIONS } from './notebooks/operations.ts';
import { FEDERATION_OPERATIONS } from './oidc/federation-operations.ts';
import { PRINCIPAL_SECRET_OPERATIONS } from './oidc/principal-secret-operations.ts';
import { OIDC_ROUTES } from './oidc/routes.ts';
import { type Operation, operationRoutes } from './operation.ts';
import { LEGACY_PERMISSION_OPERATIONS } from './permissions/legacy.ts';
import { PERMISSION_OPERATIONS } from './permissions/operations.ts';
import { PIPELINE_OPERATIONS } from './pipelines/operations.ts';
import { REGISTRY_OPERATIONS } from './registry/operations.ts';
import { SCIM_OPERATIONS } from './scim/operations.ts';
import { SECRET_ACL_OPERATIONS } from './secrets/acls.ts';
import { SECRET_SCOPE_OPERATIONS } from './secrets/scopes.ts';
import { SECRET_VALUE_OPERATIONS } from './secrets/values.ts';
import { SERVING_OPERATIONS } from './serving/operations.ts';
import { SQL_OPERATIONS } from './sql/operations.ts';
import { OWN_TOKEN_OPERATIONS } from './tokens/own-tokens.ts';
import { TOKEN_MANAGEMENT_OPERATIONS } from './tokens/token-management.ts';
import { MODEL_OPERATIONS } from './tracking/models/operations.ts';
import { TRACKING_OPERATIONS } from './tracking/operations.ts';
import { SEARCH_OPERATIONS } from './tracking/search/operations.ts';
import { TRACE_OPERATIONS } from './tracking/traces/operations.ts';
import { WAREHOUSE_OPERATIONS } from './warehouses/operations.ts';
import { STATEMENT_OPERATIONS } from './warehouses/statements/operations.ts';
import { WORKSPACE_OPERATIONS } from './workspace/operations.ts';

/** Every operation of the API below `/api`. Each row says which callers may use it. */
export const OPERATIONS: readonly Operation[] = [
  ...ACCOUNT_OPERATIONS,
  ...ACCOUNT_SETTING_OPERATIONS,
  ...APP_OPERATIONS,
  ...CATALOG_OPERATIONS,
  ...CLEAN_ROOM_OPERATIONS,
  ...COMPUTE_OPERATIONS,
  ...DBFS_OPERATIONS,
  ...DESTINATION_OPERATIONS,
  ...FEDERATION_OPERATIONS,
  ...FILE_OPERATIONS,
  ...GIT_CREDENTIAL_OPERATIONS,
  ...INCREASE_OPERATIONS,
  ...IP_ACCESS_OPERATIONS,
  ...JOB_OPERATIONS,
  ...LEGACY_PERMISSION_OPERATIONS,
  ...LIMIT_OPERATIONS,
  ...MODEL_OPERATIONS,
  ...MARKET_OPERATIONS,
  ...MONITOR_OPERATIONS,
  ...NOTEBOOK_OPERATIONS,
  ...OWN_ASSIGNMENT_OPERATIONS,
  ...OWN_TOKEN_OPERATIONS,
  ...PERMISSION_OPERATIONS,
  ...PRINCIPAL_SECRET_OPERATIONS,
  ...REGISTRY_OPERATIONS,
  ...REPO_OPERATIONS,
  ...RULE_SET_OPERATIONS,
  ...SCIM_OPERATIONS,
  ...SECRET_ACL_OPERATIONS,
  ...SECRET_SCOPE_OPERATIONS,
  ...SEARCH_OPERATIONS,
  ...SECRET_VALUE_OPERATIONS,
  ...SERVING_OPERATIONS,
  ...SQL_OPERATIONS,
  ...TOKEN_MANAGEMENT_OPERATIONS,
  ...STATEMENT_OPERATIONS,
  ...TRACE_OPERATIONS,
  ...TRACKING_OPERATIONS,
  ...WAREHOUSE_OPERATIONS,
  ...PIPELINE_OPERATIONS,
  ...CONNECTIVITY_OPERATIONS,
  ...WORKSPACE_CONF_OPERATIONS,
  ...WORKSPACE_OPERATIONS,
];

export const platformRoutes: readonly Route[] = [
  ...DISCOVERY_OPERATIONS,
  ...OIDC_ROUTES,
  ...ACTIVATION_ROUTES,
  ...operationRoutes(OPERATIONS),
];
