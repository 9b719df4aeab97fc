import { isObject, type JsonMembers } from '../../../kernel/values/index.ts';
import { completeFields, type FieldRules, readFields } from '../engine/fields.ts';
import { listOf } from '../engine/json.ts';
import { errors } from '../errors.ts';
import type { PlatformJar } from '../jar.ts';
import { checkBound } from '../limits/take.ts';
import type { EndpointConfig, TrafficRoute } from './collections.ts';
import { type EntityDraft, type EntityForm, readEntity } from './served-entity.ts';

/** The configuration of an endpoint in a request: its entities, and the share of the traffic of each. */

const MOST_ENTITIES = 10;

const entities = { type: 'array', most: MOST_ENTITIES } as const;

const ROUTE: FieldRules = {
  served_entity_name: { type: 'string', most: 63 },
  served_model_name: { type: 'string', most: 63 },
  traffic_percentage: { type: 'integer', required: true, least: 0, most: 100 },
};

const TABLE_NAME = { type: 'string', least: 1, most: 255 } as const;

/** The tables to which requests and responses are captured. */
export const CAPTURE: FieldRules = {
  catalog_name: TABLE_NAME,
  schema_name: TABLE_NAME,
  table_name_prefix: TABLE_NAME,
  enabled: { type: 'boolean' },
};

const FIELDS: FieldRules = {
  served_entities: entities,
  served_models: entities,
  traffic_config: {
    type: 'object',
    members: { routes: { type: 'array', most: MOST_ENTITIES, items: { type: 'object', members: ROUTE } } },
  },
  auto_capture_config: { type: 'object', members: CAPTURE },
};

export interface ConfigDraft {
  readonly entities: readonly EntityDraft[];
  readonly routes: readonly TrafficRoute[];
  readonly autoCapture?: JsonMembers;
}

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });

/** `at` is the prefix of field names in messages: `config.`, or empty if the configuration is the body. */
export function readConfig(
  { vault }: Pick<PlatformJar, 'vault'>,
  sent: unknown,
  { at, isThroughput = false }: { readonly at: string; readonly isThroughput?: boolean },
): ConfigDraft {
  const { served_entities, served_models, traffic_config, auto_capture_config } = readFields(FIELDS, sent, at);
  if (served_entities !== undefined && served_models !== undefined)
    throw invalid(`Only one of ${at}served_entities and ${at}served_models may be given.`);
  const form: EntityForm = isThroughput ? 'pt' : served_models === undefined ? 'served_entities' : 'served_models';
  const list = listOf(served_models ?? served_entities);
  const field = `${at}${served_models === undefined ? 'served_entities' : 'served_models'}`;
  if (list.length === 0) throw invalid(`The field '${field}' must have at least one item.`);
  const read = list.map((each, index) => readEntity(vault, form, each, `${field}[${index}].`));
  checkTogether(read, field);
  const routes = readRoutes(isObject(traffic_config) ? traffic_config.routes : undefined, read, `${at}traffic_config`);
  return {
    entities: read,
    routes,
    ...(isObject(auto_capture_config) && { autoCapture: auto_capture_config as JsonMembers }),
  };
}

const modelOf = ({ fields }: EntityDraft): JsonMembers | undefined =>
  isObject(fields.external_model) ? (fields.external_model as JsonMembers) : undefined;

function checkTogether(read: readonly EntityDraft[], field: string): void {
  const names = new Set<string>();
  for (const { name } of read) {
    if (names.has(name)) throw invalid(`The field '${field}' has the name '${name}' twice.`);
    names.add(name);
  }
  const models = read.map(modelOf);
  if (new Set(models.map((model) => model === undefined)).size > 1)
    throw invalid(`An endpoint serves either external models or others, not both ('${field}').`);
  if (new Set(models.map((model) => model?.task)).size > 1)
    throw invalid(`All external models of an endpoint must have the same task ('${field}').`);
}

/** Without routes, the first entity gets all traffic. */
function readRoutes(sent: unknown, read: readonly EntityDraft[], at: string): readonly TrafficRoute[] {
  const first = read[0] as EntityDraft;
  if (!Array.isArray(sent) || sent.length === 0) return [{ entity: first.name, percentage: 100 }];
  const routes = sent.map((each, index) => readRoute(each, read, `${at}.routes[${index}]`));
  const named = new Set(routes.map(({ entity }) => entity));
  if (named.size < routes.length) throw invalid(`The field '${at}.routes' names an entity twice.`);
  const sum = routes.reduce((all, { percentage }) => all + percentage, 0);
  if (sum !== 100) throw invalid(`The traffic percentages of '${at}.routes' must sum to 100, not ${sum}.`);
  return routes;
}

function readRoute(route: JsonMembers, read: readonly EntityDraft[], at: string): TrafficRoute {
  const entity = route.served_entity_name ?? route.served_model_name;
  if (entity === undefined) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: `${at}.served_entity_name` });
  if (!read.some(({ name }) => name === entity))
    throw invalid(`The field '${at}' names '${String(entity)}', which the endpoint does not serve.`);
  return { entity: String(entity), percentage: Number(route.traffic_percentage) };
}

/** Throws if the provisioned concurrency exceeds the limit of one entity or of the whole endpoint. `endpoint` is its name. */
export function checkConcurrency(
  jar: Pick<PlatformJar, 'limits'>,
  workspaceId: string,
  endpoint: string,
  { entities: served }: Pick<ConfigDraft, 'entities'>,
): void {
  const scope = [workspaceId, endpoint];
  const each = served.map(({ concurrency = 0 }) => concurrency);
  for (const concurrency of each) checkBound(jar, 'serving-model-concurrency', scope, concurrency);
  checkBound(
    jar,
    'serving-concurrency',
    scope,
    each.reduce((sum, concurrency) => sum + concurrency, 0),
  );
}

const CAPTURED_TO = ['catalog_name', 'schema_name', 'table_name_prefix'] as const;

/** Capturing has to be disabled before its table can change. */
export function checkCapture(what: string, before: JsonMembers | undefined, after: JsonMembers | undefined): void {
  if (before?.enabled !== true || after === undefined || after.enabled === false) return;
  const changed = CAPTURED_TO.find((name) => after[name] !== undefined && after[name] !== before[name]);
  if (changed !== undefined)
    throw invalid(`The field '${what}.${changed}' cannot be changed while the inference table is enabled.`);
}

/** Requires the fields that are needed to enable capturing. */
export function checkCaptured(what: string, capture: JsonMembers | undefined): void {
  if (capture?.enabled !== true) return;
  for (const name of ['catalog_name', 'schema_name'])
    if (capture[name] === undefined) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: `${what}.${name}` });
}

/** The version after the highest version of the endpoint so far. */
export const nextVersion = (config: EndpointConfig | undefined, pending: EndpointConfig | undefined): number =>
  Math.max(config?.version ?? 0, pending?.version ?? 0) + 1;

export const completeMembers = (rules: FieldRules, sent: unknown, at: string): JsonMembers =>
  completeFields(rules, readFields(rules, sent, at), at);
