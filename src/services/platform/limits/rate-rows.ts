/**
 * The table "API rate limits", with each row once. Each path of a row has its own bucket, shared by the row's methods, unless the row says
 * that its paths share one. Limits in two scopes are two rows: a call must pass both, and takes from neither otherwise.
 */

export type RateScope = 'Workspace' | 'Account' | 'IP address';

export interface RateRow {
  readonly api: string;
  readonly limit: number;
  readonly per: 'second' | 'minute';
  readonly scope: RateScope;
  readonly fixed: boolean;
  /** Absent: all methods. */
  readonly methods?: readonly string[];
  /** As in the table; a trailing `/*` matches the path itself and everything below it. */
  readonly paths: readonly string[];
  /** One bucket for all paths of the row. */
  readonly shared?: boolean;
  /** Suffix of the limit's name, if another row has the same paths in another scope. */
  readonly suffix?: string;
}

type Rest = Partial<Pick<RateRow, 'per' | 'scope' | 'methods' | 'shared' | 'suffix'>> & { readonly raisable?: boolean };

const row = (api: string, limit: number, paths: readonly string[], rest: Rest = {}): RateRow => {
  const { per = 'second', scope = 'Workspace', raisable = false, methods, shared, suffix } = rest;
  return {
    api,
    limit,
    per,
    scope,
    fixed: !raisable,
    ...(methods && { methods }),
    paths,
    ...(shared && { shared }),
    ...(suffix && { suffix }),
  };
};

const below = (prefix: string, ends: readonly string[]): string[] => ends.map((end) => `${prefix}/${end}`);

const sharing = (what: string): RateRow[] => [
  row(`Data sharing ${what}`, 400, [`/catalog/${what}/*`], { per: 'minute' }),
  row(`Data sharing ${what}`, 10, [`/catalog/${what}/*`], { scope: 'IP address', raisable: true, suffix: 'address' }),
];

const WRITES = ['POST', 'PUT', 'DELETE'];
const ACCOUNT_SCIM = ['/account-scim/*'];
const WORKSPACE_SCIM = ['/scim/*'];

export const RATE_ROWS: readonly RateRow[] = [
  row('File system', 30, ['/dbfs/*']),
  ...['providers', 'recipients', 'shares'].flatMap(sharing),
  row('Jobs', 20, below('/jobs', ['create', 'get', 'list', 'reset', 'run-now', 'runs/delete', 'runs/export'])),
  row('Jobs', 20, below('/jobs', ['runs/get-output', 'runs/output']), { shared: true }),
  row('Jobs', 10, below('/jobs', ['delete', 'update', 'runs/cancel'])),
  row('Jobs', 5, below('/jobs', ['runs/cancel-all', 'runs/repair'])),
  row('Jobs', 100, below('/jobs', ['runs/get'])),
  row('Jobs', 30, below('/jobs', ['runs/list'])),
  row('Jobs', 35, below('/jobs', ['runs/submit'])),
  row('Account SCIM', 20, ACCOUNT_SCIM, { scope: 'Account', methods: ['GET'] }),
  row('Account SCIM', 2, ACCOUNT_SCIM, { scope: 'Account', methods: ['PATCH'] }),
  row('Account SCIM', 5, ACCOUNT_SCIM, { scope: 'Account', methods: WRITES }),
  row('Workspace SCIM', 255, WORKSPACE_SCIM, { per: 'minute', methods: ['GET'] }),
  row('Workspace SCIM', 10, WORKSPACE_SCIM, { per: 'minute', methods: ['PATCH'] }),
  row('Workspace SCIM', 35, WORKSPACE_SCIM, { per: 'minute', methods: WRITES }),
  row('Permissions', 100, ['/permissions/*'], { methods: ['GET'] }),
  row('Permissions', 30, ['/permissions/*'], { methods: ['PATCH', 'PUT'] }),
  row('Secrets', 1100, ['/secrets/*'], { per: 'minute' }),
  row('Token management', 40, ['/token-management/*']),
  row('Workspace', 2, ['/workspace/delete']),
  row('Workspace', 60, ['/workspace/export']),
  row('Workspace', 50, ['/workspace/export'], { scope: 'Account', suffix: 'account' }),
  row('Workspace', 30, ['/workspace/import']),
  row('Workspace', 20, ['/workspace/import'], { scope: 'Account', suffix: 'account' }),
  row('Workspace', 50, ['/workspace/list']),
  row('Workspace', 20, ['/workspace/mkdirs']),
  row('Git credentials', 10, ['/git-credentials/*']),
  row('Git folders', 10, ['/repos/*']),
  row('Marketplace consumer', 100, ['/marketplace-consumer/*']),
  row('Marketplace provider', 100, ['/marketplace-provider/*']),
  row('Experiment tracking', 120, [
    ...below('/ml/experiments', ['create', 'delete', 'restore', 'update', 'set-experiment-tag', 'get', 'get-by-name']),
    ...below('/ml/runs', [
      'create',
      'update',
      'delete',
      'restore',
      'set-tag',
      'delete-tag',
      'log-param',
      'log-metric',
      'log-batch',
      'log-inputs',
      'get',
    ]),
    '/ml/metrics/get-history',
    '/ml/artifacts/list',
    '/ml/logged-models',
    '/ml/logged-models/{model_id}',
    '/ml/logged-models/{model_id}/tags',
    '/ml/logged-models/{model_id}/tags/{tag_key}',
    '/ml/logged-models/{model_id}/params',
  ]),
  row('Experiment tracking', 7, [
    '/ml/experiments/list',
    '/ml/experiments/search',
    '/ml/runs/search',
    '/ml/logged-models/search',
  ]),
  row('Experiment tracking', 2, ['/ml/logged-models/{model_id}/artifacts/directories']),
  row('Model registry', 40, [
    ...below('/ml/registered-models', ['create', 'get', 'update', 'delete', 'set-tag', 'delete-tag']),
    ...below('/ml/model-versions', ['create', 'get', 'update', 'delete', 'transition-stage', 'set-tag', 'delete-tag']),
    ...below('/ml/model-versions/transition-requests', ['create', 'approve', 'reject']),
    ...below('/ml/webhooks', ['create', 'get', 'update', 'delete', 'list', 'test']),
  ]),
  row('Model registry', 7, ['/ml/registered-models/search', '/ml/model-versions/search']),
];
