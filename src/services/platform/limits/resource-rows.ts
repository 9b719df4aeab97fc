/**
 * The table "Platform resource limits", with each row once. A row about several things ("Parameters; tags, 1600 each") is split into one
 * row for each. Enforcement, counts and displays are derived from it (`declared.ts`), and so are the tables in the docs.
 */

/** How a row is enforced. */
export type Measure =
  /** A maximum at a time, counted by the transactions that create and remove. */
  | 'count'
  /** A maximum created per hour, counted by the transactions that create. */
  | 'hourly'
  /** A maximum size, length or depth of one object. */
  | 'bound'
  /** A rate that is measured and shown, but refuses nothing until it is set. */
  | 'measured'
  /** Counted by the management gateway with its own limit. */
  | 'management';

export interface ResourceRow {
  /** The limit is `platform.<id>` in the control API. */
  readonly id: string;
  readonly resource: string;
  readonly metric: string;
  /** Undefined: no number is published; it is counted, and unlimited until it is set. */
  readonly limit: number | undefined;
  readonly unit: string;
  /** As the table names it. */
  readonly scope: string;
  /** The parts that are counted separately, by their names in the control API. */
  readonly parts: readonly string[];
  readonly fixed: boolean;
  readonly region: 'All' | 'By region';
  readonly measure: Measure;
}

const MB = 1024 * 1024;

const PARTS: Readonly<Record<string, readonly string[]>> = {
  Account: ['account'],
  'Account (by region)': ['account', 'region'],
  'Region (by region)': ['account', 'region'],
  Workspace: ['workspace'],
  Metastore: ['metastore'],
  'Clean room': ['cleanRoom'],
  'Notebook task run': ['run'],
  Cluster: ['workspace', 'cluster'],
  Dashboard: ['workspace', 'dashboard'],
  Share: ['metastore', 'share'],
  'Git folder': ['workspace', 'repo'],
  Run: ['workspace', 'run'],
  Experiment: ['workspace', 'experiment'],
  'Logged model': ['workspace', 'model'],
  Endpoint: ['workspace', 'endpoint'],
  Configuration: ['account', 'configuration'],
  Notebook: ['workspace', 'notebook'],
  Query: ['workspace', 'query'],
  Subscription: ['subscription'],
  'Per region per subscription': ['subscription', 'region'],
  'Per subscription per region': ['subscription', 'region'],
  Table: ['metastore', 'table'],
  Schema: ['metastore', 'schema'],
  Catalog: ['metastore', 'catalog'],
  'Registered model': ['metastore', 'model'],
  File: ['workspace'],
};

type Rest = Partial<Pick<ResourceRow, 'measure' | 'unit' | 'region'>> & { readonly raisable?: boolean };

const plural = (noun: string): string => (noun.endsWith('s') || noun.includes(' ') ? noun : `${noun}s`);

function row<const Id extends string>(
  id: Id,
  resource: string,
  metric: string,
  limit: number | undefined,
  scope: string,
  { raisable = false, measure = 'count', unit = plural(metric.toLowerCase()), region = 'All' }: Rest = {},
): ResourceRow & { readonly id: Id } {
  const parts = PARTS[scope];
  if (!parts) throw new Error(`nothing says what is counted apart for the scope '${scope}'`);
  return { id, resource, metric, limit, unit, scope, parts, fixed: !raisable, region, measure };
}

const RAISABLE = { raisable: true } as const;
const RAISABLE_MODELS = { raisable: true, unit: 'models' } as const;
const BOUND = { measure: 'bound' } as const;

export const RESOURCE_ROWS = [
  row('ip-access-account', 'CIDR notation', 'IP access', 1000, 'Account', { unit: 'addresses' }),
  row('ip-access-workspace', 'CIDR notation', 'IP access', 1000, 'Workspace', { unit: 'addresses' }),
  row('clean-rooms', 'Clean rooms', 'Clean room', 10, 'Metastore', { raisable: true, unit: 'clean rooms' }),
  row('clean-room-tasks', 'Clean rooms', 'Notebook tasks running simultaneously', 10, 'Clean room', { unit: 'tasks' }),
  row('clean-room-output-tables', 'Clean rooms', 'Output tables', 100, 'Notebook task run', BOUND),
  row('cluster-contexts', 'Clusters', 'Attached notebooks or execution contexts', 145, 'Cluster', { unit: 'contexts' }),
  row('dashboard-widgets', 'Legacy dashboards', 'Widgets', 1000, 'Dashboard'),
  row('apps', 'Apps', 'App', 100, 'Workspace'),
  row('pipeline-updates', 'Declarative pipelines', 'Concurrent pipeline updates', 100, 'Workspace', {
    unit: 'updates',
  }),
  row('providers', 'Data sharing', 'Provider', 1000, 'Metastore', RAISABLE),
  row('recipients', 'Data sharing', 'Recipient', 5000, 'Metastore', RAISABLE),
  row('shares', 'Data sharing', 'Share', 1000, 'Metastore', RAISABLE),
  row('share-tables', 'Data sharing', 'Table', 1000, 'Share', RAISABLE),
  row('share-volumes', 'Data sharing', 'Volume', 1000, 'Share', RAISABLE),
  row('share-models', 'Data sharing', 'Model', 1000, 'Share', RAISABLE),
  row('share-functions', 'Data sharing', 'Function', 1000, 'Share', RAISABLE),
  row('share-schemas', 'Data sharing', 'Schema', 500, 'Share', RAISABLE),
  row('share-notebooks', 'Data sharing', 'Notebook', 100, 'Share', RAISABLE),
  row('repo-size', 'Git folders', 'Working branch size', 500 * MB, 'Git folder', { ...BOUND, unit: 'bytes' }),
  row('repo-notebooks', 'Git folders', 'Notebooks', 5000, 'Git folder', BOUND),
  row('repo-files', 'Git folders', 'Total files including notebooks', 10_000, 'Git folder', {
    ...BOUND,
    unit: 'files',
  }),
  row('group-parents', 'Identity', 'Direct group memberships (direct parents only)', 1500, 'Account', {
    ...BOUND,
    unit: 'groups',
  }),
  row('groups', 'Identity', 'Groups', 5000, 'Account'),
  row('group-layers', 'Identity', 'Layers of nested groups', 10, 'Account', { ...BOUND, unit: 'layers' }),
  row('principals', 'Identity', 'Users and service principals', 10_000, 'Account', {
    raisable: true,
    unit: 'principals',
  }),
  row('jobs-created', 'Jobs', 'Created per hour', 10_000, 'Workspace', { measure: 'hourly', unit: 'jobs' }),
  row('running-tasks', 'Jobs', 'Tasks running simultaneously', 2000, 'Workspace', { unit: 'tasks' }),
  row('saved-jobs', 'Jobs', 'Saved jobs', 10_000, 'Workspace', { unit: 'jobs' }),
  row('monitors', 'Data monitoring', 'Monitors', 100, 'Metastore', RAISABLE),
  row('listings', 'Marketplace', 'Listings', 250, 'Metastore'),
  row('marketplace-providers', 'Marketplace', 'Providers', 20, 'Account'),
  row('run-metric-steps', 'Experiment tracking', 'Total metric steps', 1_000_000, 'Run', { unit: 'steps' }),
  row('run-parameters', 'Experiment tracking', 'Parameters', 1600, 'Run'),
  row('run-tags', 'Experiment tracking', 'Tags', 1600, 'Run'),
  row('experiment-runs', 'Experiment tracking', 'Runs', 500_000, 'Experiment'),
  row('experiment-tags', 'Experiment tracking', 'Tags', 1000, 'Experiment'),
  row('logged-models', 'Experiment tracking', 'Logged models', 10_000, 'Experiment'),
  row('logged-model-metrics', 'Experiment tracking', 'Metrics', 1000, 'Logged model'),
  row('logged-model-parameters', 'Experiment tracking', 'Parameters', 1600, 'Logged model'),
  row('logged-model-tags', 'Experiment tracking', 'Tags', 1600, 'Logged model'),
  row('serving-payload', 'Model serving', 'Payload size', 16 * MB, 'Endpoint', { ...BOUND, unit: 'bytes' }),
  row('serving-queries', 'Model serving', 'Throughput target (not guaranteed)', 200, 'Endpoint', {
    measure: 'measured',
    unit: 'queries per second',
  }),
  row('serving-concurrency', 'Model serving', 'Provisioned concurrency per endpoint', 200, 'Endpoint', {
    ...BOUND,
    unit: 'concurrent requests',
  }),
  row('serving-model-concurrency', 'Model serving', 'Provisioned concurrency per model', 200, 'Endpoint', {
    ...BOUND,
    unit: 'concurrent requests',
  }),
  row(
    'network-configurations',
    'Network connectivity configuration',
    'Configurations per region',
    10,
    'Account (by region)',
    { region: 'By region', unit: 'configurations' },
  ),
  row(
    'private-endpoints',
    'Network connectivity configuration',
    'Private endpoints per region (distributed across 1 to 10 configurations)',
    100,
    'Region (by region)',
    { region: 'By region', unit: 'endpoints' },
  ),
  row(
    'configuration-workspaces',
    'Network connectivity configuration',
    'Workspaces per configuration',
    50,
    'Configuration',
    { unit: 'workspaces' },
  ),
  row('notebook-cells', 'Notebook', 'Cells', 10_000, 'Notebook', BOUND),
  row('notebook-dashboards', 'Notebook', 'Dashboards', 1000, 'Notebook'),
  row('notebook-comments', 'Notebook', 'Comments', 1000, 'Notebook'),
  row('query-visualizations', 'Query', 'Visualizations', 1000, 'Query'),
  row('query-snippets', 'Query snippets', 'Total', 10_000, 'Workspace', { unit: 'snippets' }),
  row('resource-groups', 'Resource groups', 'Maximum', 980, 'Subscription', { measure: 'management', unit: 'groups' }),
  row('group-resources', 'Resource groups', 'Resources of any type per group', 800, 'Subscription', {
    measure: 'management',
    unit: 'resources',
  }),
  row('secret-scopes', 'Secrets', 'Scopes', 1000, 'Workspace', RAISABLE),
  row('serverless', 'Serverless compute', 'Quotas', undefined, 'Account (by region)', {
    raisable: true,
    region: 'By region',
    unit: 'DBU per hour',
  }),
  row('warehouses', 'SQL warehouses', 'Total', 1000, 'Workspace', { unit: 'warehouses' }),
  row('storage-egress', 'Storage', 'Egress for general-purpose v2 and blob accounts', 50e9, 'Subscription', {
    measure: 'measured',
    unit: 'bits per second',
  }),
  row('storage-accounts', 'Storage', 'Storage accounts', 250, 'Per region per subscription', {
    measure: 'management',
    region: 'By region',
    unit: 'accounts',
  }),
  row('table-columns', 'Catalog', 'Column', 32_768, 'Table', BOUND),
  row('schema-tables', 'Catalog', 'Table', 10_000, 'Schema', RAISABLE),
  row('metastore-tables', 'Catalog', 'Table', 1_000_000, 'Metastore'),
  row('schema-volumes', 'Catalog', 'Volume', 10_000, 'Schema', RAISABLE),
  row('metastore-volumes', 'Catalog', 'Volume', 100_000, 'Metastore', RAISABLE),
  row('schema-functions', 'Catalog', 'Function', 10_000, 'Schema', RAISABLE),
  row('schema-models', 'Catalog', 'Registered model', 1000, 'Schema', RAISABLE_MODELS),
  row('metastore-models', 'Catalog', 'Registered model', 5000, 'Metastore', RAISABLE_MODELS),
  row('model-aliases', 'Catalog', 'Registered model alias', 10, 'Registered model', {
    raisable: true,
    unit: 'aliases',
  }),
  row('model-versions', 'Catalog', 'Model version', 10_000, 'Registered model', { unit: 'versions' }),
  row('metastore-model-versions', 'Catalog', 'Model version', 100_000, 'Metastore', { unit: 'versions' }),
  row('catalog-schemas', 'Catalog', 'Schema', 10_000, 'Catalog', RAISABLE),
  row('catalogs', 'Catalog', 'Catalog', 1000, 'Metastore', RAISABLE),
  row('connections', 'Catalog', 'Connection', 1000, 'Metastore', RAISABLE),
  row('credentials', 'Catalog', 'Storage and service credential (combined total)', 200, 'Metastore', {
    raisable: true,
    unit: 'credentials',
  }),
  row('external-locations', 'Catalog', 'External location', 10_000, 'Metastore', { raisable: true, unit: 'locations' }),
  row('virtual-machines', 'Virtual machines', 'Maximum', 25_000, 'Per subscription per region', {
    measure: 'management',
    unit: 'machines',
    region: 'By region',
  }),
  row('folder-depth', 'Workspaces', 'Folder depth', 25, 'Workspace', { ...BOUND, unit: 'folders' }),
  row('object-name-length', 'Workspaces', 'Object name length', 500, 'Workspace', { ...BOUND, unit: 'characters' }),
  row('workspace-file-size', 'Workspace files', 'Individual file size', 500 * MB, 'File', { ...BOUND, unit: 'bytes' }),
] as const satisfies readonly ResourceRow[];

export type RowId = (typeof RESOURCE_ROWS)[number]['id'];
