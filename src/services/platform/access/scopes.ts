/**
 * The scopes that a token may be limited to. The public reference lists the operations of each scope; here each scope lists path prefixes,
 * relative to `/api/<version>`. A path without a scope needs `all-apis`.
 */

export const ALL_APIS = 'all-apis';

const ACCOUNT = '/accounts/{account_id}';

export const API_SCOPES: Readonly<Record<string, readonly string[]>> = {
  'access-management': [
    '/permissions',
    '/preview/sql/permissions',
    '/preview/accounts/access-control',
    '/preview/permissionassignments',
    `/preview${ACCOUNT}/access-control`,
    `${ACCOUNT}/workspaces/{workspace_id}/permissionassignments`,
  ],
  alerts: ['/alerts', '/sql/alerts', '/preview/sql/alerts'],
  apps: ['/apps'],
  authentication: [
    '/token',
    '/token-management',
    '/accounts/servicePrincipals',
    `${ACCOUNT}/servicePrincipals`,
    `${ACCOUNT}/federationPolicies`,
  ],
  billing: [`${ACCOUNT}/budgets`, `${ACCOUNT}/usage`],
  'clean-rooms': ['/clean-rooms'],
  clusters: ['/clusters', '/policies/clusters', '/policy-families'],
  'command-execution': ['/commands', '/contexts'],
  dashboards: ['/lakeview', '/preview/sql/dashboards', '/preview/sql/widgets'],
  files: ['/dbfs', '/fs'],
  genie: ['/genie'],
  'global-init-scripts': ['/global-init-scripts'],
  'instance-pools': ['/instance-pools'],
  jobs: ['/jobs'],
  libraries: ['/libraries'],
  marketplace: ['/marketplace-consumer', '/marketplace-provider', '/marketplace-exchange'],
  mlflow: ['/mlflow', '/mlflow-artifacts'],
  'model-serving': ['/serving-endpoints'],
  networking: [
    '/ip-access-lists',
    `${ACCOUNT}/ip-access-lists`,
    `${ACCOUNT}/settings/types/acct_ip_acl_enable`,
    `${ACCOUNT}/network-connectivity-configs`,
    `${ACCOUNT}/network-policies`,
    `${ACCOUNT}/workspaces/{workspace_id}/network`,
  ],
  notifications: ['/notification-destinations'],
  pipelines: ['/pipelines'],
  provisioning: [`${ACCOUNT}/workspaces`],
  scim: ['/preview/scim', `${ACCOUNT}/scim`],
  secrets: ['/secrets'],
  settings: ['/workspace-conf', '/settings', `${ACCOUNT}/settings`],
  sharing: ['/data-sharing', '/unity-catalog/providers', '/unity-catalog/recipients', '/unity-catalog/shares'],
  sql: [
    '/sql',
    '/sql/alerts',
    '/preview/sql',
    '/preview/sql/alerts',
    '/preview/sql/dashboards',
    '/preview/sql/widgets',
  ],
  'unity-catalog': ['/unity-catalog', '/lineage-tracking', `${ACCOUNT}/metastores`, '/quality-monitoring', '/monitors'],
  'vector-search': ['/vector-search'],
  workspace: ['/workspace', '/workspace-files', '/repos', '/git-credentials', '/platform/notebooks'],
  // Narrower scopes, which apps request.
  'sql.alerts': ['/sql/alerts'],
  'sql.queries': ['/sql/queries'],
  'sql.query-history': ['/sql/history'],
  'sql.statement-execution': ['/sql/statements'],
  'sql.warehouses': ['/sql/warehouses'],
  'files.files': ['/fs'],
  'dashboards.genie': ['/genie'],
  'iam.current-user:read': ['/preview/scim/v2/Me'],
  'iam.access-control:read': [],
  'catalog.catalogs:read': [],
  'catalog.schemas:read': [],
  'catalog.tables:read': [],
  'catalog.connections': [],
};

/** Scopes of OpenID Connect, which concern the token itself. */
const ABOUT_TOKENS: ReadonlySet<string> = new Set(['openid', 'profile', 'email', 'offline_access']);

export const isKnownScope = (scope: string): boolean =>
  scope === ALL_APIS || ABOUT_TOKENS.has(scope) || Object.hasOwn(API_SCOPES, scope);

/** Every caller may ask for its own identity. */
const OPEN_TO_ALL: ReadonlySet<string> = new Set(['/preview/scim/v2/Me']);

const isBelow = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`);

/** The scopes for an operation at this path; any one of them is enough. `undefined`: every token may call it. */
export function scopesFor(path: string): readonly string[] | undefined {
  if (OPEN_TO_ALL.has(path)) return undefined;
  let longest = '';
  let found: string[] = [];
  let narrower: string[] = [];
  for (const [scope, prefixes] of Object.entries(API_SCOPES)) {
    const prefix = prefixes.filter((each) => isBelow(path, each)).sort((one, other) => other.length - one.length)[0];
    if (prefix === undefined) continue;
    if (scope.includes('.')) narrower = [...narrower, scope];
    else if (prefix.length > longest.length) [longest, found] = [prefix, [scope]];
    else if (prefix.length === longest.length) found.push(scope);
  }
  return [...(found.length > 0 ? found : [ALL_APIS]), ...narrower];
}

/** Whether a credential limited to the scopes `held` may call an operation that needs one of the scopes `needed`. */
export const isWithin = (held: readonly string[] | undefined, needed: readonly string[] | undefined): boolean =>
  held === undefined || needed === undefined || held.includes(ALL_APIS) || held.some((each) => needed.includes(each));

/** The wanted scopes that exceed those of a credential, which the credential therefore cannot grant. */
export const scopesBeyond = (held: readonly string[] | undefined, wanted: readonly string[]): readonly string[] =>
  held === undefined || held.includes(ALL_APIS)
    ? []
    : wanted.filter((each) => !held.includes(each) && !ABOUT_TOKENS.has(each));
