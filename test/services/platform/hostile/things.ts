import { SEED_TENANT } from '../../../../src/kernel/auth/index.ts';
import { accountIdOf, defaultWorkspaceOf } from '../../../../src/services/platform/accounts/found-account.ts';
import type { Reply } from '../../../support/jars.ts';
import type { Ask } from '../support.ts';

/** Things that limits count, and what they are in: how each is made and removed through the API. */

const ACC = `/accounts/${accountIdOf(SEED_TENANT)}`;
export const FIRST_WORKSPACE = defaultWorkspaceOf(SEED_TENANT);

export type Kind = string;

export interface Made {
  readonly kind: Kind;
  /** Its id or path. */
  readonly id: string;
  /** Of what it is in: its id, and that of what this is in. */
  readonly above?: Made;
  readonly workspace: string;
}

interface Way {
  /** The kind that it is in. */
  readonly above?: Kind;
  make(ask: Ask, name: string, above: Made): Promise<Reply>;
  idOf(body: Reply['body'], name: string, above: Made): string;
  remove(ask: Ask, made: Made): Promise<Reply>;
}

const NOTEBOOK = Buffer.from('# Databricks notebook source\nprint(1)\n').toString('base64');
const SPEC = { spark_version: '16.4.x-scala2.12', node_type_id: 'Standard_DS3_v2', num_workers: 1 };
const id = ({ id: own }: { readonly id: string }): string => own;
const named = (_body: unknown, name: string): string => name;
const inAbove = ({ above }: Made): string => (above as Made).id;

/** Of what is created, read and removed at one path. */
const plain = (path: string, body: (name: string) => object, idOf: Way['idOf'] = id): Way => ({
  make: (ask, name) => ask('POST', path, body(name)),
  idOf,
  remove: (ask, made) => ask('DELETE', `${path}/${made.id}`),
});

const ofNotebook = (what: string, body: object): Way => ({
  above: 'notebook',
  async make(ask, _name, above) {
    const { body: node } = await ask('GET', `/workspace/get-status?path=${above.id}`);
    return ask('POST', `/platform/notebooks/${node.object_id}/${what}`, body);
  },
  idOf: ({ id: own, dashboard_id, comment_id }) => own ?? dashboard_id ?? comment_id,
  async remove(ask, made) {
    const { body: node } = await ask('GET', `/workspace/get-status?path=${inAbove(made)}`);
    return ask('DELETE', `/platform/notebooks/${node.object_id}/${what}/${made.id}`);
  },
});

const ofProgram = (path: string, body: object, idOf: Way['idOf']): Way => ({
  above: 'program',
  make: (ask, name, above) => ask('POST', `${ACC}/servicePrincipals/${above.id}/${path}?policy_id=${name}`, body),
  idOf,
  remove: (ask, made) => ask('DELETE', `${ACC}/servicePrincipals/${inAbove(made)}/${path}/${made.id}`),
});

const board = (made: Made): string => `/lakeview/dashboards/${made.id}`;
const schedule = (made: Made): string => `${board(made.above as Made)}/schedules/${made.id}`;

const NETWORKS = `${ACC}/network-connectivity-configs`;

const UC = '/api/2.1/unity-catalog';

/** Of what is found by its full name, and removed with what lies in it. */
const inCatalog = (path: string, body: (name: string, above: string) => object, above?: Kind): Way => ({
  ...(above !== undefined && { above }),
  make: (ask, name, lies) => ask('POST', `${UC}/${path}`, body(name, lies?.id)),
  idOf: ({ full_name }) => full_name,
  remove: (ask, made) => ask('DELETE', `${UC}/${path}/${made.id}?force=true`),
});

const partsOf = (schema: string): object => {
  const [catalog_name, schema_name] = schema.split('.');
  return { catalog_name, schema_name };
};

const EXTERNAL = (schema: string, name: string): object => ({
  table_type: 'EXTERNAL',
  data_source_format: 'DELTA',
  storage_location: `abfss://lake@vendor.example/${schema}/${name}`,
});

/** The same schema always: a share has it once, so that others are refused. */
const shareSchema = (action: string, shared_as: string): object => ({
  updates: [{ action, data_object: { name: 'main.default', data_object_type: 'SCHEMA', shared_as } }],
});

const COMPANY = {
  business_contact_email: 'sales@vendor.example',
  term_of_service_link: 'https://vendor.example/terms',
  privacy_policy_link: 'https://vendor.example/privacy',
};

const WAYS: Readonly<Record<Kind, Way>> = {
  job: {
    make: (ask, name) =>
      ask('POST', '/api/2.2/jobs/create', { name, tasks: [{ task_key: 'a', notebook_task: { notebook_path: '/x' } }] }),
    idOf: ({ job_id }) => String(job_id),
    remove: (ask, made) => ask('POST', '/api/2.2/jobs/delete', { job_id: Number(made.id) }),
  },
  scope: {
    make: (ask, name) => ask('POST', '/secrets/scopes/create', { scope: name }),
    idOf: named,
    remove: (ask, made) => ask('POST', '/secrets/scopes/delete', { scope: made.id }),
  },
  secret: {
    above: 'scope',
    make: (ask, name, above) =>
      ask('POST', '/secrets/put', { scope: above.id, key: name.slice(0, 2), string_value: 'x' }),
    idOf: (_body, name) => name.slice(0, 2),
    remove: (ask, made) => ask('POST', '/secrets/delete', { scope: inAbove(made), key: made.id }),
  },
  group: plain(`${ACC}/scim/v2/Groups`, (displayName) => ({ displayName })),
  'workspace-group': plain('/preview/scim/v2/Groups', (displayName) => ({ displayName })),
  user: plain(`${ACC}/scim/v2/Users`, (name) => ({ userName: `${name}@vendor.example` })),
  'workspace-user': plain('/preview/scim/v2/Users', (name) => ({ userName: `${name}@vendor.example` })),
  program: plain('/preview/scim/v2/ServicePrincipals', (displayName) => ({ displayName })),
  'program-secret': ofProgram('credentials/secrets', {}, id),
  policy: ofProgram(
    'federationPolicies',
    { oidc_policy: { issuer: 'https://issuer.example', subject: 's' } },
    ({ policy_id }) => policy_id,
  ),
  snippet: plain('/preview/sql/query_snippets', (trigger) => ({ trigger, snippet: 'x' })),
  query: plain('/sql/queries', (name) => ({ query: { display_name: name, query_text: 'SELECT 1' } })),
  visualization: {
    above: 'query',
    make: (ask, name, above) =>
      ask('POST', '/sql/visualizations', {
        visualization: { query_id: above.id, type: 'TABLE', display_name: name, serialized_options: '{}' },
      }),
    idOf: id,
    remove: (ask, made) => ask('DELETE', `/sql/visualizations/${made.id}`),
  },
  dashboard: plain('/preview/sql/dashboards', (name) => ({ name })),
  widget: {
    above: 'dashboard',
    make: (ask, text, above) =>
      ask('POST', '/preview/sql/widgets', { dashboard_id: above.id, width: 1, text, options: {} }),
    idOf: id,
    remove: (ask, made) => ask('DELETE', `/preview/sql/widgets/${made.id}`),
  },
  folder: {
    make: (ask, name) => ask('POST', '/workspace/mkdirs', { path: `/Shared/${name}` }),
    idOf: (_body, name) => `/Shared/${name}`,
    remove: (ask, made) => ask('POST', '/workspace/delete', { path: made.id, recursive: true }),
  },
  notebook: {
    above: 'folder',
    make: (ask, name, above) =>
      ask('POST', '/workspace/import', {
        path: `${above.id}/${name}`,
        format: 'SOURCE',
        language: 'PYTHON',
        content: NOTEBOOK,
      }),
    idOf: (_body, name, above) => `${above.id}/${name}`,
    remove: (ask, made) => ask('POST', '/workspace/delete', { path: made.id }),
  },
  comment: ofNotebook('comments', { text: 'x' }),
  'notebook-dashboard': ofNotebook('dashboards', { name: 'x' }),
  cluster: {
    make: (ask, cluster_name) =>
      ask('POST', '/clusters/create', { cluster_name, ...SPEC, autotermination_minutes: 120 }),
    idOf: ({ cluster_id }) => cluster_id,
    remove: (ask, made) =>
      ask('POST', made.id.length % 2 === 0 ? '/clusters/delete' : '/clusters/permanent-delete', {
        cluster_id: made.id,
      }),
  },
  context: {
    above: 'cluster',
    make: (ask, _name, above) => ask('POST', '/api/1.2/contexts/create', { clusterId: above.id, language: 'python' }),
    idOf: id,
    remove: (ask, made) => ask('POST', '/api/1.2/contexts/destroy', { clusterId: inAbove(made), contextId: made.id }),
  },
  warehouse: plain('/sql/warehouses', (name) => ({
    name,
    cluster_size: 'Small',
    warehouse_type: 'PRO',
    enable_serverless_compute: true,
  })),
  'serving-endpoint': plain(
    '/serving-endpoints',
    (name) => ({ name, config: { served_entities: [{ entity_name: 'system.ai.m', entity_version: '1' }] } }),
    ({ name }) => name,
  ),
  app: plain(
    '/apps',
    (name) => ({
      name: `a-${name}`
        .toLowerCase()
        .replace(/[^a-z0-9-]/g, '-')
        .slice(0, 30),
    }),
    ({ name }) => name,
  ),
  token: {
    make: (ask, name) =>
      ask('POST', '/token/create', name.includes('1') ? { comment: name, lifetime_seconds: 3600 } : { comment: name }),
    idOf: ({ token_info }) => token_info.token_id,
    remove: (ask, made) => ask('POST', '/token/delete', { token_id: made.id }),
  },
  'program-token': {
    above: 'program',
    async make(ask, comment, above) {
      const { body: program } = await ask('GET', `${ACC}/scim/v2/ServicePrincipals/${above.id}`);
      return ask('POST', '/token-management/on-behalf-of/tokens', {
        application_id: program.applicationId,
        comment,
        lifetime_seconds: 3600,
      });
    },
    idOf: ({ token_info }) => token_info.token_id,
    remove: (ask, made) => ask('DELETE', `/token-management/tokens/${made.id}`),
  },
  addresses: plain(
    '/ip-access-lists',
    (label) => ({ label, list_type: 'BLOCK', ip_addresses: ['10.0.0.1', '10.0.0.0/24'] }),
    ({ ip_access_list }) => ip_access_list.list_id,
  ),
  board: plain(
    '/lakeview/dashboards',
    (display_name) => ({ display_name }),
    ({ dashboard_id }) => dashboard_id,
  ),
  schedule: {
    above: 'board',
    make: (ask, _name, above) =>
      ask('POST', `${board(above)}/schedules`, {
        cron_schedule: { quartz_cron_expression: '0 0 8 1 1 ?', timezone_id: 'UTC' },
      }),
    idOf: ({ schedule_id }) => schedule_id,
    remove: (ask, made) => ask('DELETE', schedule(made)),
  },
  subscription: {
    above: 'schedule',
    async make(ask, _name, above) {
      const { body: me } = await ask('GET', '/preview/scim/v2/Me');
      return ask('POST', `${schedule(above)}/subscriptions`, {
        subscriber: { user_subscriber: { user_id: Number(me.id) } },
      });
    },
    idOf: ({ subscription_id }) => subscription_id,
    remove: (ask, made) => ask('DELETE', `${schedule(made.above as Made)}/subscriptions/${made.id}`),
  },
  network: plain(
    NETWORKS,
    (name) => ({ name: `net-${name}`, region: 'westus2' }),
    ({ network_connectivity_config_id }) => network_connectivity_config_id,
  ),
  endpoint: {
    above: 'network',
    make: (ask, name, above) =>
      ask('POST', `${NETWORKS}/${above.id}/private-endpoint-rules`, {
        resource_id: `/subscriptions/s/resourceGroups/g/providers/Vendor.Storage/storageAccounts/${name}`,
        group_id: 'blob',
      }),
    idOf: ({ rule_id }) => rule_id,
    remove: (ask, made) => ask('DELETE', `${NETWORKS}/${inAbove(made)}/private-endpoint-rules/${made.id}`),
  },
  pipeline: plain(
    '/pipelines',
    (name) => ({ name, serverless: true, configuration: { cloudjar: 'sleep 3600' } }),
    ({ pipeline_id }) => pipeline_id,
  ),
  update: {
    above: 'pipeline',
    make: (ask, _name, above) => ask('POST', `/pipelines/${above.id}/updates`, {}),
    idOf: ({ update_id }) => update_id,
    remove: (ask, made) => ask('POST', `/pipelines/${inAbove(made)}/stop`),
  },
  catalog: inCatalog('catalogs', (name) => ({ name })),
  schema: inCatalog('schemas', (name, catalog_name) => ({ name, catalog_name }), 'catalog'),
  table: inCatalog('tables', (name, schema) => ({ name, ...partsOf(schema), ...EXTERNAL(schema, name) }), 'schema'),
  volume: inCatalog('volumes', (name, schema) => ({ name, ...partsOf(schema), volume_type: 'MANAGED' }), 'schema'),
  model: inCatalog('models', (name, schema) => ({ name, ...partsOf(schema) }), 'schema'),
  share: inCatalog('shares', (name) => ({ name })),
  recipient: inCatalog('recipients', (name) => ({ name, authentication_type: 'TOKEN' })),
  'shared-schema': {
    above: 'share',
    make: (ask, name, above) => ask('PATCH', `${UC}/shares/${above.id}`, shareSchema('ADD', name)),
    idOf: named,
    remove: (ask, made) => ask('PATCH', `${UC}/shares/${inAbove(made)}`, shareSchema('REMOVE', made.id)),
  },
  room: {
    async make(ask, name) {
      const { body: metastore } = await ask('GET', `${UC}/metastore_summary`);
      const creator = { collaborator_alias: 'creator', global_metastore_id: metastore.global_metastore_id };
      const remote_detailed_info = { cloud_vendor: 'azure', region: 'westus2', collaborators: [creator] };
      return ask('POST', '/clean-rooms', { name, remote_detailed_info });
    },
    idOf: named,
    remove: (ask, made) => ask('DELETE', `/clean-rooms/${made.id}`),
  },
  offerer: {
    make: (ask, name) => ask('POST', '/marketplace-provider/provider', { provider: { name, ...COMPANY } }),
    idOf: id,
    remove: (ask, made) => ask('DELETE', `/marketplace-provider/providers/${made.id}`),
  },
  listing: {
    above: 'offerer',
    make: (ask, name, above) =>
      ask('POST', '/marketplace-provider/listing', {
        listing: { summary: { name, listingType: 'STANDARD', provider_id: above.id } },
      }),
    idOf: ({ listing_id }) => listing_id,
    remove: (ask, made) => ask('DELETE', `/marketplace-provider/listings/${made.id}`),
  },
  workspace: {
    above: 'network',
    make: (ask, name, above) =>
      ask('POST', `${ACC}/workspaces`, {
        workspace_name: name,
        deployment_name: name,
        location: 'westus2',
        network_connectivity_config_id: above.id,
      }),
    idOf: ({ workspace_id }) => String(workspace_id),
    remove: (ask, made) => ask('DELETE', `${ACC}/workspaces/${made.id}`),
  },
};

export const KINDS: readonly Kind[] = Object.keys(WAYS);

export function wayOf(kind: Kind): Way {
  const way = WAYS[kind];
  if (!way) throw new Error(`there is no way to make '${kind}'`);
  return way;
}
