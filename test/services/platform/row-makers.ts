import { SEED_TENANT } from '../../../src/kernel/auth/index.ts';
import { accountIdOf, defaultWorkspaceOf } from '../../../src/services/platform/accounts/found-account.ts';
import type { RowId } from '../../../src/services/platform/limits/declared.ts';
import type { Bench, Reply } from '../../support/jars.ts';
import { inCatalog, inMetastore, type Maker, UC } from './catalog/makers.ts';
import { OBJECT_MAKERS } from './catalog/object-makers.ts';
import { type Ask, good } from './support.ts';
import { newExperiment, newRun, tracking } from './tracking/support.ts';

const ACCOUNT = accountIdOf(SEED_TENANT);
const WORKSPACE = defaultWorkspaceOf(SEED_TENANT);
const ACC = `/accounts/${ACCOUNT}`;

const JAR_TASK = { task_key: 'only', spark_jar_task: { main_class_name: 'Main', cloudjar: 'sleep 1000' } };
const NOTEBOOK = Buffer.from('# Databricks notebook source\nprint(1)\n').toString('base64');

async function notebookId(ask: Ask): Promise<number> {
  const path = '/Shared/counted';
  await good(ask('POST', '/workspace/import', { path, format: 'SOURCE', language: 'PYTHON', content: NOTEBOOK }));
  return (await good(ask('GET', `/workspace/get-status?path=${path}`))).object_id;
}

const addressLists =
  (base: string, scope: string) =>
  async (ask: Ask): Promise<Maker> => ({
    scope: [scope],
    make: (number) =>
      ask('POST', base, { label: `list ${number}`, list_type: 'BLOCK', ip_addresses: [`10.0.0.${number}`] }),
    remove: ({ body }) => good(ask('DELETE', `${base}/${body.ip_access_list.list_id}`)),
  });

const ofNotebook =
  (what: string, body: (number: number) => object) =>
  async (ask: Ask): Promise<Maker> => {
    const notebook = await notebookId(ask);
    const base = `/platform/notebooks/${notebook}/${what}`;
    return {
      scope: [WORKSPACE, String(notebook)],
      make: (number) => ask('POST', base, body(number)),
      remove: ({ body: made }) => good(ask('DELETE', `${base}/${made.id ?? made.dashboard_id ?? made.comment_id}`)),
    };
  };

const COMPANY = {
  name: 'Company',
  business_contact_email: 'us@company.example',
  term_of_service_link: 'https://company.example/terms',
  privacy_policy_link: 'https://company.example/privacy',
};

const newProgram = async (ask: Ask): Promise<string> =>
  (await good(ask('POST', `${ACC}/scim/v2/ServicePrincipals`, { displayName: 'program' }))).id;

async function newSchedules(ask: Ask): Promise<{ readonly dashboard: string; create(): Promise<Reply> }> {
  const { dashboard_id: dashboard } = await good(ask('POST', '/lakeview/dashboards', { display_name: 'Board' }));
  const cron_schedule = { quartz_cron_expression: '0 0 8 * * ?', timezone_id: 'UTC' };
  return { dashboard, create: () => ask('POST', `/lakeview/dashboards/${dashboard}/schedules`, { cron_schedule }) };
}

const NETWORKS = `${ACC}/network-connectivity-configs`;
const STORAGE = '/subscriptions/s/resourceGroups/g/providers/Vendor.Storage/storageAccounts';

const newNetwork = async (ask: Ask): Promise<string> =>
  (await good(ask('POST', NETWORKS, { name: 'network', region: 'westus2' }))).network_connectivity_config_id;

const inShare =
  (data_object_type: string, objectOf: (ask: Ask, number: number) => Promise<{ readonly name: string }>) =>
  async (ask: Ask): Promise<Maker> => {
    const { id } = await good(ask('POST', `${UC}/shares`, { name: 'full' }));
    const update = (action: string, data_object: object) =>
      ask('PATCH', `${UC}/shares/full`, { updates: [{ action, data_object: { data_object_type, ...data_object } }] });
    const made = new Map<Reply, object>();
    return {
      scope: [await inMetastore(ask), id],
      async make(number) {
        const object = await objectOf(ask, number);
        const reply = await update('ADD', object);
        made.set(reply, object);
        return reply;
      },
      remove: (reply) => good(update('REMOVE', made.get(reply) ?? {})),
    };
  };
const metastoreScope = async (ask: Ask): Promise<readonly string[]> => [await inMetastore(ask)];

const schemaScope = async (ask: Ask): Promise<readonly string[]> => [
  await inMetastore(ask),
  (await good(ask('GET', `${UC}/schemas/main.default`))).schema_id,
];

const IN_SCHEMA = { catalog_name: 'main', schema_name: 'default' };

const oneTable = (number: number) => ({
  ...IN_SCHEMA,
  name: `table_${number}`,
  table_type: 'EXTERNAL',
  data_source_format: 'DELTA',
  storage_location: `abfss://lake@vendor.example/${number}`,
});

const oneVolume = (number: number) => ({ ...IN_SCHEMA, name: `volume_${number}`, volume_type: 'MANAGED' });

const oneFunction = (number: number) => ({
  function_info: {
    ...IN_SCHEMA,
    name: `function_${number}`,
    input_params: { parameters: [] },
    data_type: 'INT',
    full_data_type: 'INT',
    routine_body: 'SQL',
    routine_definition: '1',
    parameter_style: 'S',
    is_deterministic: true,
    sql_data_access: 'CONTAINS_SQL',
    is_null_call: false,
    security_type: 'DEFINER',
    specific_name: `function_${number}`,
  },
});

export const MAKERS: Readonly<Partial<Record<RowId, (ask: Ask, bench: Bench) => Promise<Maker>>>> = {
  'ip-access-account': addressLists(`${ACC}/ip-access-lists`, ACCOUNT),
  'ip-access-workspace': addressLists('/ip-access-lists', WORKSPACE),
  async 'cluster-contexts'(ask, bench) {
    const spec = { spark_version: '16.4.x-scala2.12', node_type_id: 'Standard_DS3_v2', num_workers: 1 };
    const { cluster_id: clusterId } = await good(ask('POST', '/clusters/create', { cluster_name: 'c', ...spec }));
    await bench.jar.clock.advance('10m');
    return {
      scope: [WORKSPACE, clusterId],
      make: () => ask('POST', '/api/1.2/contexts/create', { clusterId, language: 'python' }),
      remove: ({ body }) => good(ask('POST', '/api/1.2/contexts/destroy', { clusterId, contextId: body.id })),
    };
  },
  async 'dashboard-widgets'(ask) {
    const { id } = await good(ask('POST', '/preview/sql/dashboards', { name: 'full' }));
    return {
      scope: [WORKSPACE, id],
      make: (number) =>
        ask('POST', '/preview/sql/widgets', { dashboard_id: id, width: 1, text: `widget ${number}`, options: {} }),
      remove: ({ body }) => good(ask('DELETE', `/preview/sql/widgets/${body.id}`)),
    };
  },
  async 'clean-rooms'(ask) {
    const { metastore_id, global_metastore_id } = await good(ask('GET', `${UC}/metastore_summary`));
    const collaborators = [{ collaborator_alias: 'creator', global_metastore_id }];
    const remote_detailed_info = { cloud_vendor: 'azure', region: 'westus2', collaborators };
    return {
      scope: [metastore_id],
      make: (number) => ask('POST', '/clean-rooms', { name: `room_${number}`, remote_detailed_info }),
      remove: ({ body }) => good(ask('DELETE', `/clean-rooms/${body.name}`)),
    };
  },
  catalogs: inCatalog(
    'catalogs',
    async (ask) => [await inMetastore(ask)],
    (number) => ({ name: `catalog_${number}` }),
  ),
  'catalog-schemas': inCatalog(
    'schemas',
    async (ask) => [await inMetastore(ask), (await good(ask('GET', `${UC}/catalogs/main`))).id],
    (number) => ({ catalog_name: 'main', name: `schema_${number}` }),
  ),
  ...OBJECT_MAKERS,
  providers: inCatalog(
    'providers',
    async (ask) => [await inMetastore(ask)],
    (number) => ({ name: `provider-${number}`, authentication_type: 'DATABRICKS' }),
  ),
  recipients: inCatalog(
    'recipients',
    async (ask) => [await inMetastore(ask)],
    (number) => ({ name: `recipient-${number}`, authentication_type: 'TOKEN' }),
  ),
  shares: inCatalog(
    'shares',
    async (ask) => [await inMetastore(ask)],
    (number) => ({ name: `share-${number}` }),
  ),
  'share-schemas': inShare('SCHEMA', async (ask, number) => {
    await good(ask('POST', `${UC}/schemas`, { catalog_name: 'main', name: `schema_${number}` }));
    return { name: `main.schema_${number}` };
  }),
  'share-tables': inShare('TABLE', async (ask, number) => {
    const location = `abfss://data@store.dfs.core.windows.net/shared/${number}`;
    const rest = { table_type: 'EXTERNAL', data_source_format: 'DELTA', storage_location: location, columns: [] };
    await good(
      ask('POST', `${UC}/tables`, { catalog_name: 'main', schema_name: 'default', name: `t${number}`, ...rest }),
    );
    return { name: `main.default.t${number}` };
  }),
  'share-volumes': inShare('VOLUME', async (ask, number) => {
    const volume = { catalog_name: 'main', schema_name: 'default', name: `v${number}`, volume_type: 'MANAGED' };
    await good(ask('POST', `${UC}/volumes`, volume));
    return { name: `main.default.v${number}` };
  }),
  'share-models': inShare('MODEL', async (ask, number) => {
    await good(ask('POST', `${UC}/models`, { ...IN_SCHEMA, name: `m${number}` }));
    return { name: `main.default.m${number}` };
  }),
  'share-functions': inShare('FUNCTION', async (ask, number) => {
    await good(ask('POST', `${UC}/functions`, oneFunction(number)));
    return { name: `main.default.function_${number}` };
  }),
  'share-notebooks': inShare('NOTEBOOK_FILE', async (_ask, number) => ({
    name: `notebook ${number}`,
    content: NOTEBOOK,
  })),
  monitors: async (ask) => ({
    scope: [await inMetastore(ask)],
    async make(number) {
      await good(ask('POST', `${UC}/tables`, oneTable(number)));
      const body = { assets_dir: '/Shared', output_schema_name: 'main.default', snapshot: {} };
      return ask('POST', `${UC}/tables/main.default.table_${number}/monitor`, body);
    },
    remove: ({ body }) => good(ask('DELETE', `${UC}/tables/${body.table_name}/monitor`)),
  }),
  listings: async (ask) => {
    const { id: provider_id } = await good(ask('POST', '/marketplace-provider/provider', { provider: COMPANY }));
    return {
      scope: [await inMetastore(ask)],
      make: (number) =>
        ask('POST', '/marketplace-provider/listing', {
          listing: { summary: { name: `listing ${number}`, listingType: 'STANDARD', provider_id } },
        }),
      remove: ({ body }) => good(ask('DELETE', `/marketplace-provider/listings/${body.listing_id}`)),
    };
  },
  'marketplace-providers': async (ask) => ({
    scope: [ACCOUNT],
    make: () => ask('POST', '/marketplace-provider/provider', { provider: COMPANY }),
    remove: ({ body }) => good(ask('DELETE', `/marketplace-provider/providers/${body.id}`)),
  }),
  'schema-tables': inCatalog('tables', schemaScope, oneTable),
  'metastore-tables': inCatalog('tables', metastoreScope, oneTable),
  'schema-volumes': inCatalog('volumes', schemaScope, oneVolume),
  'metastore-volumes': inCatalog('volumes', metastoreScope, oneVolume),
  'schema-functions': inCatalog('functions', schemaScope, oneFunction),
  'network-configurations': async (ask) => ({
    scope: [ACCOUNT, 'westus2'],
    make: (number) => ask('POST', NETWORKS, { name: `network-${number}`, region: 'westus2' }),
    remove: ({ body }) => good(ask('DELETE', `${NETWORKS}/${body.network_connectivity_config_id}`)),
  }),
  async 'private-endpoints'(ask, bench) {
    const rules = `${NETWORKS}/${await newNetwork(ask)}/private-endpoint-rules`;
    return {
      scope: [ACCOUNT, 'westus2'],
      make: (number) => ask('POST', rules, { resource_id: `${STORAGE}/account${number}`, group_id: 'blob' }),
      // One that is pending is gone at once.
      async remove({ body }) {
        await bench.jar.clock.advance('10m');
        await good(ask('DELETE', `${rules}/${body.rule_id}`));
      },
    };
  },
  async 'configuration-workspaces'(ask) {
    const network = await newNetwork(ask);
    return {
      scope: [ACCOUNT, network],
      make: (number) =>
        ask('POST', `${ACC}/workspaces`, {
          workspace_name: `workspace ${number}`,
          deployment_name: `deployment-${number}`,
          location: 'westus2',
          network_connectivity_config_id: network,
        }),
      remove: ({ body }) => good(ask('DELETE', `${ACC}/workspaces/${body.workspace_id}`)),
    };
  },
  groups: async (ask) => ({
    scope: [ACCOUNT],
    make: (number) => ask('POST', `${ACC}/scim/v2/Groups`, { displayName: `group ${number}` }),
    remove: ({ body }) => good(ask('DELETE', `${ACC}/scim/v2/Groups/${body.id}`)),
  }),
  principals: async (ask) => ({
    scope: [ACCOUNT],
    make: (number) =>
      number % 2 === 0
        ? ask('POST', `${ACC}/scim/v2/Users`, { userName: `user${number}@vendor.example` })
        : ask('POST', `${ACC}/scim/v2/ServicePrincipals`, { displayName: `program ${number}` }),
    remove: ({ body }) =>
      good(ask('DELETE', `${ACC}/scim/v2/${body.userName ? 'Users' : 'ServicePrincipals'}/${body.id}`)),
  }),
  'running-tasks': async (ask) => ({
    scope: [WORKSPACE],
    make: (number) => ask('POST', '/api/2.2/jobs/runs/submit', { run_name: `run ${number}`, tasks: [JAR_TASK] }),
    remove: ({ body }) => good(ask('POST', '/api/2.2/jobs/runs/cancel', { run_id: body.run_id })),
  }),
  'saved-jobs': async (ask) => ({
    scope: [WORKSPACE],
    make: (number) => ask('POST', '/api/2.2/jobs/create', { name: `job ${number}`, tasks: [JAR_TASK] }),
    remove: ({ body }) => good(ask('POST', '/api/2.2/jobs/delete', { job_id: body.job_id })),
  }),
  'notebook-dashboards': ofNotebook('dashboards', (number) => ({ name: `dashboard ${number}` })),
  'notebook-comments': ofNotebook('comments', (number) => ({ text: `comment ${number}` })),
  async 'query-visualizations'(ask) {
    const { id } = await good(ask('POST', '/sql/queries', { query: { display_name: 'q', query_text: 'SELECT 1' } }));
    return {
      scope: [WORKSPACE, id],
      make: (number) =>
        ask('POST', '/sql/visualizations', {
          visualization: { query_id: id, type: 'TABLE', display_name: `v${number}`, serialized_options: '{}' },
        }),
      remove: ({ body }) => good(ask('DELETE', `/sql/visualizations/${body.id}`)),
    };
  },
  'query-snippets': async (ask) => ({
    scope: [WORKSPACE],
    make: (number) => ask('POST', '/preview/sql/query_snippets', { trigger: `t${number}`, snippet: 'SELECT' }),
    remove: ({ body }) => good(ask('DELETE', `/preview/sql/query_snippets/${body.id}`)),
  }),
  'secret-scopes': async (ask) => {
    const names: string[] = [];
    return {
      scope: [WORKSPACE],
      make: (number) => {
        names.push(`scope-${number}`);
        return ask('POST', '/secrets/scopes/create', { scope: `scope-${number}` });
      },
      remove: () => good(ask('POST', '/secrets/scopes/delete', { scope: names[0] })),
    };
  },
  warehouses: async (ask) => ({
    scope: [WORKSPACE],
    make: (number) => ask('POST', '/sql/warehouses', { name: `w${number}`, cluster_size: 'Small' }),
    remove: ({ body }) => good(ask('DELETE', `/sql/warehouses/${body.id}`)),
  }),
  apps: async (ask) => ({
    scope: [WORKSPACE],
    make: (number) => ask('POST', '/apps', { name: `app-${number}` }),
    remove: ({ body }) => good(ask('DELETE', `/apps/${body.name}`)),
  }),
  'serving-endpoints': async (ask) => ({
    scope: [WORKSPACE],
    make: (number) => ask('POST', '/serving-endpoints', { name: `endpoint-${number}` }),
    remove: ({ body }) => good(ask('DELETE', `/serving-endpoints/${body.name}`)),
  }),
  async 'user-tokens'(ask) {
    const { id } = await good(ask('GET', '/preview/scim/v2/Me'));
    return {
      scope: [WORKSPACE, id],
      make: (number) => ask('POST', '/token/create', { comment: `token ${number}` }),
      remove: ({ body }) => good(ask('POST', '/token/delete', { token_id: body.token_info.token_id })),
    };
  },
  async 'principal-secrets'(ask) {
    const id = await newProgram(ask);
    const base = `${ACC}/servicePrincipals/${id}/credentials/secrets`;
    return {
      scope: [ACCOUNT, id],
      make: () => ask('POST', base, {}),
      remove: ({ body }) => good(ask('DELETE', `${base}/${body.id}`)),
    };
  },
  async 'federation-policies'(ask) {
    const id = await newProgram(ask);
    const base = `${ACC}/servicePrincipals/${id}/federationPolicies`;
    const oidc_policy = { issuer: 'https://issuer.example', subject: 'someone' };
    return {
      scope: [ACCOUNT, id],
      make: (number) => ask('POST', `${base}?policy_id=policy-${number}`, { oidc_policy }),
      remove: ({ body }) => good(ask('DELETE', `${base}/${body.policy_id}`)),
    };
  },
  async 'recipient-policies'(ask) {
    const recipient = await good(
      ask('POST', `${UC}/recipients`, { name: 'federated', authentication_type: 'OIDC_FEDERATION' }),
    );
    const base = '/data-sharing/recipients/federated/federation-policies';
    const oidc_policy = { issuer: 'https://issuer.example', subject_claim: 'sub', subject: 'someone' };
    return {
      scope: [recipient.metastore_id, recipient.id],
      make: (number) => ask('POST', base, { name: `policy-${number}`, oidc_policy }),
      remove: ({ body }) => good(ask('DELETE', `${base}/${body.name}`)),
    };
  },
  async 'scope-secrets'(ask) {
    await good(ask('POST', '/secrets/scopes/create', { scope: 'full' }));
    return {
      scope: [WORKSPACE, 'full'],
      make: (number) => ask('POST', '/secrets/put', { scope: 'full', key: `key-${number}`, string_value: 'x' }),
      remove: () => good(ask('POST', '/secrets/delete', { scope: 'full', key: 'key-1' })),
    };
  },
  'registry-webhooks': async (ask) => ({
    scope: [WORKSPACE],
    // Both APIs of webhooks count together.
    make: (number) =>
      number % 2 === 0
        ? ask('POST', '/mlflow/webhooks', {
            name: `hook-${number}`,
            url: 'https://hook.example/',
            events: [{ entity: 'MODEL_VERSION', action: 'CREATED' }],
          })
        : ask('POST', '/mlflow/registry-webhooks/create', {
            events: ['MODEL_VERSION_CREATED'],
            http_url_spec: { url: 'https://hook.example/' },
          }),
    remove: ({ body }) => good(ask('DELETE', `/mlflow/registry-webhooks/delete?id=${body.webhook.id}`)),
  }),
  async 'dashboard-schedules'(ask) {
    const { dashboard, create } = await newSchedules(ask);
    return {
      scope: [WORKSPACE, dashboard],
      make: create,
      remove: ({ body }) => good(ask('DELETE', `/lakeview/dashboards/${dashboard}/schedules/${body.schedule_id}`)),
    };
  },
  async 'schedule-subscriptions'(ask) {
    const { dashboard, create } = await newSchedules(ask);
    const { schedule_id: schedule } = await good(create());
    const base = `/lakeview/dashboards/${dashboard}/schedules/${schedule}/subscriptions`;
    const { id } = await good(ask('GET', '/preview/scim/v2/Me'));
    return {
      scope: [WORKSPACE, schedule],
      make: () => ask('POST', base, { subscriber: { user_subscriber: { user_id: Number(id) } } }),
      remove: ({ body }) => good(ask('DELETE', `${base}/${body.subscription_id}`)),
    };
  },
  async 'experiment-runs'(ask) {
    const experiment = await newExperiment(tracking(ask));
    return {
      scope: [WORKSPACE, experiment],
      make: () => ask('POST', '/mlflow/runs/create', { experiment_id: experiment }),
      remove: ({ body }) => good(ask('POST', '/mlflow/runs/delete', { run_id: body.run.info.run_id })),
    };
  },
  async 'logged-models'(ask) {
    const experiment_id = await newExperiment(tracking(ask));
    return {
      scope: [WORKSPACE, experiment_id],
      make: () => ask('POST', '/mlflow/logged-models', { experiment_id }),
      remove: ({ body }) => good(ask('DELETE', `/mlflow/logged-models/${body.model.info.model_id}`)),
    };
  },
  async 'logged-model-tags'(ask) {
    const experiment_id = await newExperiment(tracking(ask));
    const { model } = await good(ask('POST', '/mlflow/logged-models', { experiment_id }));
    const base = `/mlflow/logged-models/${model.info.model_id}/tags`;
    return {
      scope: [WORKSPACE, model.info.model_id],
      make: (number) => ask('PATCH', base, { tags: [{ key: `tag-${number}`, value: 'x' }] }),
      remove: () => good(ask('DELETE', `${base}/tag-1`)),
    };
  },
  async 'experiment-tags'(ask) {
    const experiment_id = await newExperiment(tracking(ask));
    const change = (what: string, body: object) =>
      ask('POST', `/mlflow/experiments/${what}`, { experiment_id, ...body });
    return {
      scope: [WORKSPACE, experiment_id],
      make: (number) => change('set-experiment-tag', { key: `tag-${number}`, value: 'x' }),
      remove: () => good(change('delete-experiment-tag', { key: 'tag-1' })),
    };
  },
  async 'run-tags'(ask) {
    const run_id = await newRun(tracking(ask));
    return {
      scope: [WORKSPACE, run_id],
      make: (number) => ask('POST', '/mlflow/runs/set-tag', { run_id, key: `tag-${number}`, value: 'x' }),
      remove: () => good(ask('POST', '/mlflow/runs/delete-tag', { run_id, key: 'tag-1' })),
    };
  },
};
