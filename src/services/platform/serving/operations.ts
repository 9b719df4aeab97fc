import { ok } from '../../../kernel/http/index.ts';
import { uuid } from '../../../kernel/ids/index.ts';
import { allOf, eq, type Tx } from '../../../kernel/store/index.ts';
import type { JsonMembers } from '../../../kernel/values/index.ts';
import { membersOf } from '../engine/json.ts';
import { namesOf } from '../engine/names.ts';
import { Sent } from '../engine/sent.ts';
import { platformError } from '../errors.ts';
import { accountIn, callerIdentity, type PlatformCall, routeCode, workspaceIn } from '../jar.ts';
import { takeCount } from '../limits/take.ts';
import type { Operation } from '../operation.ts';
import { creatorAcl, readersFilter } from '../permissions/guard.ts';
import { type ServingEndpoint, servingEndpoints } from './collections.ts';
import { type ConfigDraft, checkCapture, readConfig } from './config.ts';
import { findEndpoint } from './find.ts';
import { INSPECT_OPERATIONS } from './inspect.ts';
import { withModels } from './models.ts';
import { QUERY_OPERATIONS } from './query/operations.ts';
import { entitiesAtZero } from './query/scale.ts';
import { checkServingName } from './served-entity.ts';
import { changedTags, readGateway, readNotifications, readRateLimits, readSettings } from './settings.ts';
import { beginUpdate, deleteEndpoint, keyOf, putEndpoint, recordEndpoint } from './update.ts';
import { endpointView, summaryView } from './view.ts';

const PATH = '/serving-endpoints';

async function shown(call: PlatformCall, endpoint: ServingEndpoint): Promise<JsonMembers> {
  const { store } = call.jar;
  const entities = [...(endpoint.config?.entities ?? []), ...(endpoint.pending?.entities ?? [])];
  const people = [endpoint.creator, ...entities.map(({ creator }) => creator)];
  const names = await namesOf(store, endpoint.accountId, people);
  const atZero = await entitiesAtZero(call.jar, endpoint);
  return endpointView(call, endpoint, { ...names, isAtZero: (entity) => atZero.has(entity) });
}

/** Of two concurrent creations with the same name, the second finds the first, since both lock the name. */
async function checkFree(tx: Tx, endpoint: ServingEndpoint): Promise<void> {
  const key = keyOf(endpoint);
  await tx.lock(`platform.serving-endpoints:${key}`);
  if (!(await tx.get(servingEndpoints, key))) return;
  const message = `Serving endpoint with name ${endpoint.name} already exists`;
  throw platformError(409, 'RESOURCE_ALREADY_EXISTS', message, []);
}

const withModelsOf = async (call: PlatformCall, config: ConfigDraft): Promise<ConfigDraft> => ({
  ...config,
  entities: await withModels(call, config.entities),
});

async function createEndpoint(call: PlatformCall, isThroughput: boolean): Promise<object> {
  const { jar } = call;
  const sent = new Sent(call.body);
  const name = checkServingName("field 'name'", sent.need('name'));
  const settings = readSettings(call.body ?? {});
  const given = (call.body as JsonMembers).config;
  const config =
    given === undefined || given === null
      ? undefined
      : await withModelsOf(call, readConfig(jar, given, { at: 'config.', isThroughput }));
  const workspace = workspaceIn(call);
  const { principal } = callerIdentity(call);
  const created = await jar.store.transact(async (tx) => {
    const now = jar.clock.now();
    const endpoint: ServingEndpoint = {
      id: uuid().replaceAll('-', ''),
      name,
      workspaceId: workspace.id,
      accountId: accountIn(call).id,
      creator: principal.id,
      acl: creatorAcl(call, 'serving-endpoints'),
      ...settings,
      update: 'NOT_UPDATING',
      createdAt: now,
      updatedAt: now,
    };
    await checkFree(tx, endpoint);
    await takeCount(tx, jar, { row: 'serving-endpoints', scope: [workspace.id] });
    await tx.put(servingEndpoints, keyOf(endpoint), endpoint);
    const begun = config ? await beginUpdate(tx, jar, endpoint, config, principal.id) : endpoint;
    await recordEndpoint(tx, jar, 'create', begun);
    return begun;
  });
  return shown(call, created);
}

/** Changes an endpoint that the caller manages, in a separate transaction. */
const change = (
  call: PlatformCall,
  name: string,
  changed: (tx: Tx, endpoint: ServingEndpoint) => Promise<ServingEndpoint>,
): Promise<ServingEndpoint> =>
  call.jar.store.transact(async (tx) => {
    const after = await changed(tx, await findEndpoint(call, name, 'CAN_MANAGE', tx));
    await recordEndpoint(tx, call.jar, 'update', after);
    return after;
  });

async function putConfig(call: PlatformCall, name: string, isThroughput: boolean): Promise<object> {
  const { jar } = call;
  await findEndpoint(call, name, 'CAN_MANAGE');
  const sent = isThroughput ? ((call.body ?? {}) as JsonMembers).config : call.body;
  const read = readConfig(jar, sent ?? {}, { at: isThroughput ? 'config.' : '', isThroughput });
  const config = await withModelsOf(call, read);
  const creator = callerIdentity(call).principal.id;
  const updated = await change(call, name, (tx, endpoint) => beginUpdate(tx, jar, endpoint, config, creator));
  return shown(call, updated);
}

async function listEndpoints(call: PlatformCall): Promise<object> {
  const { store } = call.jar;
  const filter = allOf(eq('workspace', workspaceIn(call).id), readersFilter(call));
  // Without pagination: the limit of endpoints keeps the list short.
  const { items } = await store.query(servingEndpoints, { filter, order: [{ field: 'createdAt' }], limit: 100_000 });
  const creators = items.map(({ value }) => value.creator);
  const names = await namesOf(store, accountIn(call).id, creators);
  return { endpoints: items.map(({ value }) => summaryView(value, names)) };
}

async function putGateway(call: PlatformCall, name: string): Promise<object> {
  await findEndpoint(call, name, 'CAN_MANAGE');
  const gateway = readGateway(call.body ?? {});
  await change(call, name, (tx, endpoint) => {
    const before = endpoint.aiGateway?.inference_table_config;
    const after = gateway.inference_table_config;
    checkCapture('inference_table_config', membersOf(before), membersOf(after));
    return putEndpoint(tx, call.jar, { ...endpoint, aiGateway: gateway });
  });
  return gateway;
}

async function patchNotifications(call: PlatformCall, name: string): Promise<object> {
  await findEndpoint(call, name, 'CAN_MANAGE');
  const sent = new Sent(call.body);
  const notifications = sent.has('email_notifications')
    ? readNotifications((call.body as JsonMembers).email_notifications)
    : undefined;
  const { notifications: after } = await change(call, name, (tx, endpoint) =>
    putEndpoint(tx, call.jar, { ...endpoint, ...(notifications && { notifications }) }),
  );
  return { name, ...(after && { email_notifications: after }) };
}

async function putRates(call: PlatformCall, name: string): Promise<object> {
  await findEndpoint(call, name, 'CAN_MANAGE');
  const rateLimits = readRateLimits(call.body ?? {});
  await change(call, name, (tx, endpoint) => putEndpoint(tx, call.jar, { ...endpoint, rateLimits }));
  return { rate_limits: rateLimits };
}

async function patchTags(call: PlatformCall, name: string): Promise<object> {
  const { tags } = await change(call, name, (tx, endpoint) =>
    putEndpoint(tx, call.jar, { ...endpoint, tags: changedTags(endpoint.tags, call.body ?? {}) }),
  );
  return { tags };
}

/** A row for an operation on one endpoint. */
const ofOne = (
  method: Operation['method'],
  path: string,
  operation: string,
  summary: string,
  handle: (call: PlatformCall, name: string) => Promise<object>,
): Operation => ({
  method,
  path: `${PATH}${path}`,
  operation: `servingEndpoints_${operation}`,
  summary,
  code: routeCode(['name'], { handle: async (call) => ok(await handle(call, call.params.name)) }),
});

export const SERVING_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: PATH,
    operation: 'servingEndpoints_create',
    summary: 'Creates a serving endpoint, and starts the deployment of its configuration',
    code: routeCode([], { handle: async (call) => ok(await createEndpoint(call, false)) }),
  },
  {
    method: 'POST',
    path: `${PATH}/pt`,
    operation: 'servingEndpoints_createProvisionedThroughput',
    summary: 'Creates a serving endpoint of provisioned throughput',
    code: routeCode([], { handle: async (call) => ok(await createEndpoint(call, true)) }),
  },
  {
    method: 'GET',
    path: PATH,
    operation: 'servingEndpoints_list',
    summary: 'Lists serving endpoints',
    code: routeCode([], { handle: async (call) => ok(await listEndpoints(call)) }),
  },
  ofOne('GET', '/{name}', 'get', 'Reads a serving endpoint', async (call, name) =>
    shown(call, await findEndpoint(call, name, 'CAN_VIEW')),
  ),
  ofOne('DELETE', '/{name}', 'delete', 'Deletes a serving endpoint', async (call, name) => {
    await call.jar.store.transact(async (tx) =>
      deleteEndpoint(tx, call.jar, await findEndpoint(call, name, 'CAN_MANAGE', tx)),
    );
    return {};
  }),
  ofOne(
    'PUT',
    '/{name}/config',
    'updateConfig',
    'Starts the deployment of a new configuration of an endpoint',
    (call, name) => putConfig(call, name, false),
  ),
  ofOne(
    'PUT',
    '/pt/{name}/config',
    'updateProvisionedThroughputConfig',
    'Starts the deployment of a new configuration of an endpoint of provisioned throughput',
    (call, name) => putConfig(call, name, true),
  ),
  ofOne('PATCH', '/{name}/tags', 'patch', 'Adds and removes tags of an endpoint', patchTags),
  ofOne('PUT', '/{name}/rate-limits', 'put', 'Replaces the rate limits of an endpoint', putRates),
  ofOne('PUT', '/{name}/ai-gateway', 'putAiGateway', 'Replaces the AI gateway of an endpoint', putGateway),
  ofOne(
    'PATCH',
    '/{name}/notifications',
    'updateNotifications',
    'Changes the receivers of notifications about updates of an endpoint',
    patchNotifications,
  ),
  ...INSPECT_OPERATIONS,
  ...QUERY_OPERATIONS,
];
