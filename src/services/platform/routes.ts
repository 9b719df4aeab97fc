import type { Route } from '../../kernel/http/index.ts';
import { DISCOVERY_OPERATIONS } from './accounts/discovery.ts';
import { ACCOUNT_SETTING_OPERATIONS } from './network/account-setting.ts';
import { IP_ACCESS_OPERATIONS } from './network/ip-access-lists.ts';
import { WORKSPACE_CONF_OPERATIONS } from './network/workspace-conf.ts';
import { AUTHORIZE_ROUTES } from './oidc/authorize.ts';
import { METADATA_ROUTES } from './oidc/metadata.ts';
import { PRINCIPAL_SECRET_OPERATIONS } from './oidc/principal-secret-operations.ts';
import { TOKEN_ROUTES } from './oidc/token-endpoint.ts';
import { operationRoutes } from './operation.ts';
import { SECRET_ACL_OPERATIONS } from './secrets/acls.ts';
import { SECRET_SCOPE_OPERATIONS } from './secrets/scopes.ts';
import { SECRET_VALUE_OPERATIONS } from './secrets/values.ts';
import { SNIPPET_OPERATIONS } from './sql/snippets.ts';
import { OWN_TOKEN_OPERATIONS } from './tokens/own-tokens.ts';
import { TOKEN_MANAGEMENT_OPERATIONS } from './tokens/token-management.ts';

/** Every operation of the API. Who may call which is in the rows of its table. */
export const platformRoutes: readonly Route[] = [
  ...AUTHORIZE_ROUTES,
  ...DISCOVERY_OPERATIONS,
  ...METADATA_ROUTES,
  ...TOKEN_ROUTES,
  ...operationRoutes(ACCOUNT_SETTING_OPERATIONS),
  ...operationRoutes(IP_ACCESS_OPERATIONS),
  ...operationRoutes(OWN_TOKEN_OPERATIONS),
  ...operationRoutes(PRINCIPAL_SECRET_OPERATIONS),
  ...operationRoutes(SECRET_ACL_OPERATIONS),
  ...operationRoutes(SECRET_SCOPE_OPERATIONS),
  ...operationRoutes(SECRET_VALUE_OPERATIONS),
  ...operationRoutes(SNIPPET_OPERATIONS),
  ...operationRoutes(TOKEN_MANAGEMENT_OPERATIONS),
  ...operationRoutes(WORKSPACE_CONF_OPERATIONS),
];
