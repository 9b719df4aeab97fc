import type { Operation } from '../../../../src/services/platform/operation.ts';
import type { openWithStore } from '../open-store.ts';
import { ACCOUNT } from '../sdk.ts';
import { catalogBody, catalogParameter, fillCatalogObjects, isOfCatalog } from './filled-catalog.ts';
import { cleanRoomBody, cleanRoomParameter, fillCleanRooms, isOfCleanRooms } from './filled-clean-rooms.ts';
import { fillSharing, isOfSharing, sharingBody, sharingParameter } from './filled-sharing.ts';

type Opened = Awaited<ReturnType<typeof openWithStore>>;
type Ids = Readonly<Record<string, string>>;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** One thing of each kind, all of them an administrator's, shared with nobody, and named `ours-…`. Gives their ids by a name for each. */
export async function fillWorkspace({ ask }: Opened): Promise<Ids> {
  const post = async (path: string, body: object): Promise<Record<string, unknown>> =>
    (await ask('POST', path.startsWith('/api') ? path : `/api/2.0${path}`, body)).body;
  const of = (made: Record<string, unknown>, name: string): string => String(made[name]);
  const me = (await ask('GET', '/api/2.0/preview/scim/v2/Me')).body;
  const home = `/Users/${of(me, 'userName')}`;
  const sleeping = { spark_jar_task: { main_class_name: 'A', cloudjar: 'sleep 100000' } };
  const job = of(await post('/jobs/create', { name: 'ours-j', tasks: [{ task_key: 'a', ...sleeping }] }), 'job_id');
  const run = of(await post('/jobs/run-now', { job_id: Number(job) }), 'run_id');
  const cluster = of(
    await post('/clusters/create', {
      cluster_name: 'ours-c',
      spark_version: '16.4.x-scala2.12',
      node_type_id: 'Standard_DS3_v2',
      num_workers: 1,
    }),
    'cluster_id',
  );
  await post('/workspace/import', {
    path: `${home}/n`,
    format: 'SOURCE',
    language: 'PYTHON',
    content: base64('# Databricks notebook source\nprint(1)\n'),
  });
  const status = (await ask('GET', `/api/2.0/workspace/get-status?path=${encodeURIComponent(`${home}/n`)}`)).body;
  const notebook = of(status, 'object_id');
  const query = of(await post('/sql/queries', { query: { display_name: 'ours-q', query_text: 'SELECT 1' } }), 'id');
  const warehouse = of(await post('/sql/warehouses', { name: 'ours-w', cluster_size: 'Small' }), 'id');
  const dashboard = of(await post('/preview/sql/dashboards', { name: 'ours-d' }), 'id');
  const lakeview = of(
    await post('/lakeview/dashboards', { display_name: 'ours-l', warehouse_id: warehouse }),
    'dashboard_id',
  );
  const schedule = of(
    await post(`/lakeview/dashboards/${lakeview}/schedules`, {
      cron_schedule: { quartz_cron_expression: '0 0 0 1 1 ?', timezone_id: 'UTC' },
    }),
    'schedule_id',
  );
  await post('/secrets/scopes/create', { scope: 'private' });
  await post('/secrets/put', { scope: 'private', key: 'k', string_value: 'v' });
  const principal = of(await post('/preview/scim/v2/ServicePrincipals', { displayName: 'ours-robot' }), 'id');
  const acc = `/accounts/${ACCOUNT}`;
  const about = { name: 'm-of-us', version: '1' };
  await post('/mlflow/registered-models/create', { name: about.name, tags: [{ key: 'k', value: 'ours-t' }] });
  await post('/mlflow/model-versions/create', {
    ...about,
    source: 'dbfs:/ours-s',
    tags: [{ key: 'k', value: 'ours-t' }],
  });
  await post('/mlflow/registered-models/alias', { ...about, alias: 'a-of-us' });
  await post('/mlflow/transition-requests/create', { ...about, stage: 'Archived' });
  const list = { label: 'ours-l', list_type: 'BLOCK', ip_addresses: ['10.0.0.1'] };
  const network = of(
    await post(`${acc}/network-connectivity-configs`, { name: 'ours-n', region: 'westus2' }),
    'network_connectivity_config_id',
  );
  const pipeline = of(
    await post('/pipelines', { name: 'ours-pl', configuration: { cloudjar: 'sleep 100000' } }),
    'pipeline_id',
  );
  const idOf = (made: Record<string, unknown>, member: string, name: string): string =>
    of(made[member] as Record<string, unknown>, name);
  const experiment = of(await post('/mlflow/experiments/create', { name: `${home}/e-of-us` }), 'experiment_id');
  const { run: tracked } = (await post('/mlflow/runs/create', { experiment_id: experiment, run_name: 'ours-r' })) as {
    run: { info: { run_id: string } };
  };
  const point = { key: 'ours-m', value: 1, timestamp: 1 };
  await post('/mlflow/runs/log-metric', { run_id: tracked.info.run_id, ...point });
  await fillCatalog(post);
  return {
    metastore: await fillCatalogObjects(post),
    ...(await fillSharing(post)),
    ...(await fillCleanRooms(post, async (path) => (await ask('GET', path)).body)),
    me: of(me, 'id'),
    experiment,
    tracked: tracked.info.run_id,
    artifact: `${experiment}/${tracked.info.run_id}/artifacts/ours-a`,
    experimentName: `${home}/e-of-us`,
    path: `${home}/n`,
    job,
    run,
    cluster,
    notebook,
    query,
    warehouse,
    dashboard,
    lakeview,
    schedule,
    principal,
    policy: of(await post('/policies/clusters/create', { name: 'ours-p', definition: '{}' }), 'policy_id'),
    pool: of(
      await post('/instance-pools/create', { instance_pool_name: 'ours-p', node_type_id: 'Standard_DS3_v2' }),
      'instance_pool_id',
    ),
    script: of(await post('/global-init-scripts', { name: 'ours-s', script: base64('echo') }), 'script_id'),
    visualization: of(
      await post('/sql/visualizations', {
        visualization: { query_id: query, type: 'TABLE', display_name: 'ours-v', serialized_options: '{}' },
      }),
      'id',
    ),
    widget: of(
      await post('/preview/sql/widgets', { dashboard_id: dashboard, width: 1, text: 'ours-t', options: {} }),
      'id',
    ),
    snippet: of(await post('/preview/sql/query_snippets', { trigger: 't', snippet: 'SELECT 1' }), 'id'),
    comment: of(await post(`/platform/notebooks/${notebook}/comments`, { text: 'ours-t' }), 'comment_id'),
    notebookDashboard: of(await post(`/platform/notebooks/${notebook}/dashboards`, { name: 'ours-t' }), 'dashboard_id'),
    credential: of(
      await post('/git-credentials', { git_provider: 'gitHub', git_username: 'me', personal_access_token: 'x' }),
      'credential_id',
    ),
    token: idOf(await post('/token/create', { comment: 'ours-mine' }), 'token_info', 'token_id'),
    list: idOf(await post('/ip-access-lists', list), 'ip_access_list', 'list_id'),
    accountList: idOf(await post(`${acc}/ip-access-lists`, list), 'ip_access_list', 'list_id'),
    group: of(await post('/preview/scim/v2/Groups', { displayName: 'ours-g' }), 'id'),
    accountGroup: of(await post(`${acc}/scim/v2/Groups`, { displayName: 'ours-ag' }), 'id'),
    network,
    endpoint: of(
      await post(`${acc}/network-connectivity-configs/${network}/private-endpoint-rules`, {
        resource_id: '/subscriptions/s/resourceGroups/g/providers/Vendor.Storage/storageAccounts/ours-s',
        group_id: 'blob',
      }),
      'rule_id',
    ),
    networkPolicy: of(
      await post(`${acc}/network-policies`, {
        // The id is sent by others, too; what is in the policy is not.
        network_policy_id: 'private-policy',
        egress: {
          network_access: {
            restriction_mode: 'RESTRICTED_ACCESS',
            allowed_internet_destinations: [{ destination: 'ours-destination' }],
          },
        },
      }),
      'network_policy_id',
    ),
    pipeline,
    update: of(await post(`/pipelines/${pipeline}/updates`, {}), 'update_id'),
    secret: of(await post(`${acc}/servicePrincipals/${principal}/credentials/secrets`, {}), 'id'),
    federation: of(
      await post(`${acc}/federationPolicies?policy_id=one`, { oidc_policy: { issuer: 'https://issuer.example' } }),
      'policy_id',
    ),
    servingEndpoint: of(
      await post('/serving-endpoints', {
        name: 'filled-endpoint',
        description: 'ours-e',
        config: { served_entities: [{ name: 'filled-entity', entity_name: 'system.ai.m', entity_version: '1' }] },
      }),
      'name',
    ),
    app: of(await post('/apps', { name: 'filled-app', description: 'ours-a' }), 'name'),
    modelComment: idOf(await post('/mlflow/comments/create', { ...about, comment: 'ours-c' }), 'comment', 'id'),
    registryWebhook: idOf(
      await post('/mlflow/registry-webhooks/create', {
        model_name: about.name,
        events: ['COMMENT_CREATED'],
        http_url_spec: { url: 'https://localhost:1/' },
        status: 'DISABLED',
      }),
      'webhook',
      'id',
    ),
    openWebhook: idOf(
      await post('/mlflow/webhooks', {
        name: 'ours-w',
        url: 'https://localhost:1/',
        events: [{ entity: 'PROMPT', action: 'CREATED' }],
      }),
      'webhook',
      'webhook_id',
    ),
    destination: of(
      await post('/notification-destinations', {
        display_name: 'ours-d',
        config: { email: { addresses: ['a@vendor.example'] } },
      }),
      'id',
    ),
  };
}

const UC = '/api/2.1/unity-catalog';
const SCHEMA = { catalog_name: 'main', schema_name: 'private_s' };
const VOLUME_PATH = 'Volumes/main/private_s/private_v';

/** A schema of the catalog that others may not enter, with a table, a volume and a function. Refusals repeat names, so it is the rest of them that must not be seen. */
async function fillCatalog(post: (path: string, body: object) => Promise<unknown>): Promise<void> {
  await post(`${UC}/schemas`, { catalog_name: 'main', name: 'private_s', comment: 'ours-schema' });
  await post(`${UC}/tables`, {
    ...SCHEMA,
    name: 'private_t',
    table_type: 'EXTERNAL',
    data_source_format: 'DELTA',
    storage_location: 'abfss://lake@vendor.example/ours',
    columns: [{ name: 'ours-c', type_name: 'INT' }],
  });
  await post(`${UC}/volumes`, { ...SCHEMA, name: 'private_v', volume_type: 'MANAGED', comment: 'ours-volume' });
  await post(`${UC}/functions`, {
    function_info: {
      ...SCHEMA,
      name: 'private_f',
      input_params: {},
      data_type: 'INT',
      full_data_type: 'INT',
      routine_body: 'SQL',
      routine_definition: "'ours-x'",
      parameter_style: 'S',
      is_deterministic: true,
      sql_data_access: 'CONTAINS_SQL',
      is_null_call: false,
      security_type: 'DEFINER',
      specific_name: 'private_f',
    },
  });
}

const FULL_NAMES: readonly (readonly [RegExp, string])[] = [
  [/\/(?:tables|constraints)/, 'main.private_s.private_t'],
  [/\/volumes/, 'main.private_s.private_v'],
  [/\/functions/, 'main.private_s.private_f'],
  [/\/schemas/, 'main.private_s'],
];

/** By the beginning of the path: what `{id}` stands for. The first that fits. */
const OWN_IDS: readonly (readonly [RegExp, string])[] = [
  [/^\/permissions\/\{type\}/, 'job'],
  [/^\/(?:permissions\/sql|preview\/sql\/permissions)/, 'query'],
  [/scim\/v2\/Users/, 'me'],
  [/scim\/v2\/ServicePrincipals/, 'principal'],
  [/^\/accounts\/.*Groups/, 'accountGroup'],
  [/Groups/, 'group'],
  [/^\/global-init-scripts/, 'script'],
  [/\/schedules/, 'schedule'],
  [/^\/lakeview/, 'lakeview'],
  [/^\/notification-destinations/, 'destination'],
  [/comments/, 'comment'],
  [/notebooks\/.*dashboards/, 'notebookDashboard'],
  [/visualizations/, 'visualization'],
  [/queries/, 'query'],
  [/^\/preview\/sql\/dashboards/, 'dashboard'],
  [/snippets/, 'snippet'],
  [/widgets/, 'widget'],
  [/warehouses/, 'warehouse'],
  [/^\/pipelines/, 'pipeline'],
];

const PARAMS: Readonly<Record<string, string>> = {
  principal: 'principal',
  principal_id: 'me',
  secret_id: 'secret',
  policy_id: 'federation',
  credential_id: 'credential',
  dashboard_id: 'lakeview',
  schedule_id: 'schedule',
  notebook_id: 'notebook',
  token_id: 'token',
  webhook_id: 'openWebhook',
  update_id: 'update',
  ncc_id: 'network',
  rule_id: 'endpoint',
  network_policy_id: 'networkPolicy',
};

/** The path of an operation with the ids of what is there. */
export function pathTo({ path }: Pick<Operation, 'path'>, ids: Ids, workspace: string): string {
  return path.replace(/\{(\w+)\*?\}/g, (_, name: string) => {
    if (name === 'account_id') return ACCOUNT;
    if (isOfCleanRooms(path)) return cleanRoomParameter(name, ids);
    if (isOfSharing(path) && !isOfCatalog(path) && name !== 'workspace_id')
      return encodeURIComponent(sharingParameter(path, name, ids));
    if (isOfCatalog(path)) return encodeURIComponent(catalogParameter(path, name, ids.metastore ?? ''));
    if (name === 'workspace_id') return workspace;
    if (name === 'type') return path.includes('sql') ? 'queries' : 'jobs';
    if (name === 'path' && path.startsWith('/mlflow-artifacts')) return ids.artifact ?? '';
    if (name === 'full_name') return FULL_NAMES.find(([pattern]) => pattern.test(path))?.[1] ?? '1';
    if (name === 'path' && path.startsWith('/fs/')) return VOLUME_PATH;
    if (name === 'path') return encodeURIComponent((ids.path ?? '').slice(1));
    if (name === 'name' && path.startsWith('/serving-endpoints')) return ids.servingEndpoint ?? '';
    if (name === 'name' && path.startsWith('/apps')) return ids.app ?? '';
    if (name === 'served_model_name') return 'filled-entity';
    if (name === 'list_id') return (path.startsWith('/accounts') ? ids.accountList : ids.list) ?? '';
    const own = name === 'id' ? OWN_IDS.find(([pattern]) => pattern.test(path))?.[1] : PARAMS[name];
    return ids[own ?? ''] ?? '1';
  });
}

const TRACKING =
  /^\/mlflow(?:-artifacts|\/(?:experiments|runs|metrics|artifacts|databricks\/runs|(?:get|upload)-artifact))/;

const appBody = {
  description: 'theirs',
  source_code_path: '/Shared',
  update_mask: 'description',
  app: { description: 'theirs' },
};

/** A body that would change whatever it is about, had the caller the right to it. */
export function bodyFor({ path }: Pick<Operation, 'path'>, ids: Ids): Record<string, unknown> {
  const number = (name: string): number => Number(ids[name]);
  if (isOfCleanRooms(path)) return cleanRoomBody(path, ids);
  if (isOfCatalog(path)) return catalogBody(path);
  if (isOfSharing(path)) return sharingBody(path, ids);
  if (path === '/serving-endpoints' || path === '/serving-endpoints/pt') return { name: 'theirs' };
  if (path === '/apps') return { name: 'theirs' };
  if (path.endsWith('/invocations')) return { instances: [1] };
  if (/^\/serving-endpoints\/(?:chat|completions|embeddings)/.test(path))
    return { model: ids.servingEndpoint, messages: [{ role: 'user', content: 'x' }] };
  if (path.startsWith('/apps')) return appBody;
  if (path === '/workspace-conf') return { enableIpAccessLists: 'true', maxTokenLifetimeDays: '1' };
  if (TRACKING.test(path)) return trackingBody(path, ids);
  if (path.startsWith('/mlflow/')) return registryBody(path, ids);
  return {
    ...SCHEMA,
    full_name_arg: 'main.private_s.private_t',
    constraint: { named_table_constraint: { name: 'theirs' } },
    constraint_name: 'theirs',
    cascade: 'true',
    owner: 'licensed@vendor.example',
    job_id: number('job'),
    run_id: number('run'),
    cluster_id: ids.cluster,
    clusterId: ids.cluster,
    policy_id: ids.policy,
    instance_pool_id: ids.pool,
    instance_pool_name: 'theirs',
    token_id: ids.token,
    id: ids.warehouse,
    scope: 'private',
    key: 'k',
    string_value: 'theirs',
    principal: 'licensed@vendor.example',
    permission: 'MANAGE',
    path: ids.path,
    source_path: ids.path,
    destination_path: `${ids.path}2`,
    overwrite: true,
    recursive: true,
    format: 'SOURCE',
    language: 'PYTHON',
    content: base64('# Databricks notebook source\nprint(2)\n'),
    new_settings: { name: 'theirs' },
    all_queued_runs: true,
    rerun_all_failed_tasks: true,
    owner_username: 'licensed@vendor.example',
    new_owner: 'licensed@vendor.example',
    access_control_list: [{ user_name: 'licensed@vendor.example', permission_level: 'CAN_MANAGE' }],
    ...(!path.includes('scim') && { name: 'theirs' }),
    display_name: 'theirs',
    displayName: 'theirs',
    userName: 'theirs@vendor.example',
    active: false,
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path: 'displayName', value: 'theirs' }],
    label: 'theirs',
    list_type: 'BLOCK',
    ip_addresses: ['10.9.9.9'],
    enabled: true,
    cluster_name: 'theirs',
    cluster_size: 'Large',
    spark_version: '16.4.x-scala2.12',
    node_type_id: 'Standard_DS3_v2',
    num_workers: 3,
    definition: '{"num_workers":{"type":"fixed","value":1}}',
    script: base64('echo theirs'),
    libraries: [{ pypi: { package: 'theirs' } }],
    query: path.startsWith('/preview') ? 'SELECT 2' : { display_name: 'theirs', query_text: 'SELECT 2' },
    visualization: { display_name: 'theirs', query_id: ids.query },
    cron_schedule: { quartz_cron_expression: '0 0 0 2 1 ?', timezone_id: 'UTC' },
    alert: { display_name: 'theirs' },
    update_mask: path.startsWith('/sql') || path.startsWith('/alerts') ? 'display_name' : undefined,
    dashboard_id: ids.dashboard,
    text: 'theirs',
    trigger: 'theirs',
    snippet: 'SELECT 2',
    width: 2,
    options: {},
    config: { email: { addresses: ['theirs@vendor.example'] } },
    git_provider: 'gitHub',
    git_username: 'theirs',
    personal_access_token: 'theirs',
    permissions: ['ADMIN'],
    token: { comment: 'theirs' },
    comment: 'theirs',
    oidc_policy: { issuer: 'https://theirs.example' },
    served_entities: [{ name: 'theirs', entity_name: 'system.ai.m', entity_version: '2' }],
    add_tags: [{ key: 'theirs' }],
    rate_limits: [{ calls: 1, renewal_period: 'minute' }],
    email_notifications: { on_update_success: ['theirs@vendor.example'] },
    usage_tracking_config: { enabled: true },
    setting: { acct_ip_acl_enable: { value: true } },
    workspace_name: 'theirs',
    network_policy_id: ids.networkPolicy,
    catalog: 'theirs',
    region: 'westus2',
  };
}

/** The same for the model registry, whose members have the names of others. */
function registryBody(path: string, ids: Ids): Record<string, unknown> {
  const isOpen = path.startsWith('/mlflow/webhooks');
  return {
    name: isOpen || path.endsWith('registered-models/create') ? 'theirs' : 'm-of-us',
    new_name: 'theirs',
    version: '1',
    stage: 'Archived',
    archive_existing_versions: false,
    alias: path.includes('alias') ? 'a-of-us' : undefined,
    creator: 'admin@vendor.example',
    source: 'dbfs:/theirs',
    key: 'k',
    value: 'theirs',
    description: 'theirs',
    comment: 'theirs',
    id: path.includes('comments') ? ids.modelComment : ids.registryWebhook,
    model_name: path.includes('registry-webhooks') ? 'm-of-us' : undefined,
    url: isOpen ? 'https://localhost:1/' : undefined,
    events: isOpen ? [{ entity: 'PROMPT', action: 'CREATED' }] : ['COMMENT_CREATED'],
    http_url_spec: { url: 'https://localhost:1/' },
    status: 'DISABLED',
  };
}

function trackingBody(path: string, ids: Ids): Record<string, unknown> {
  return {
    experiment_id: ids.experiment,
    experiment_name: ids.experimentName,
    run_id: ids.tracked,
    run_ids: ids.tracked,
    name: '/Shared/theirs',
    new_name: '/Shared/theirs-too',
    run_name: 'theirs',
    status: 'FAILED',
    key: 'theirs',
    value: path.endsWith('log-metric') ? 2 : 'theirs',
    timestamp: 2,
    metric_key: 'ours-m',
    metrics: [{ key: 'ours-m', value: 3, timestamp: 3 }],
    tags: [{ key: 'theirs', value: 'x' }],
    model_json: '{"artifact_path":"x","flavors":{},"run_id":"x","utc_time_created":"x"}',
    models: [{ model_id: 'm-1' }],
    max_timestamp_millis: 1,
    min_timestamp_millis: 1,
    path: path === '/mlflow-artifacts/artifacts' ? ids.artifact : path.includes('credentials') ? ['a'] : 'a',
  };
}
