import { isObject, type Json, type JsonMembers, omitAbsent } from '../../../kernel/values/index.ts';
import type { ViewContext } from '../engine/kind.ts';
import type { PlatformCall } from '../jar.ts';
import { allows } from '../permissions/guard.ts';
import { typeRow } from '../permissions/levels.ts';
import type { EndpointConfig, ServedEntity, ServingEndpoint } from './collections.ts';
import { guardedEndpoint } from './guarded.ts';

/** Wire form of endpoints. */

type Named = ViewContext & {
  /** Entities of the configuration in force that have scaled to zero. */
  readonly isAtZero?: (entity: string) => boolean;
};

const isExternal = ({ fields }: ServedEntity): boolean => fields.external_model !== undefined;

function entityView(entity: ServedEntity, { nameOf, isAtZero }: Named): JsonMembers {
  const { name, fields, deployment, message, creator, createdAt } = entity;
  const shown = isAtZero?.(name) ? 'Scaled to zero' : message;
  return {
    name,
    ...fields,
    state: { deployment, deployment_state_message: shown },
    creator: nameOf(creator),
    creation_timestamp: createdAt,
  };
}

/** The older form, which exists only for models. */
function modelView(entity: ServedEntity, context: Named): JsonMembers {
  const { entity_name, entity_version, ...rest } = entityView(entity, context);
  return omitAbsent({ ...rest, model_name: entity_name, model_version: entity_version });
}

function configView({ version, entities, routes, autoCapture }: EndpointConfig, context: Named): JsonMembers {
  const models = entities.filter((entity) => !isExternal(entity));
  return {
    served_entities: entities.map((entity) => entityView(entity, context)) as Json,
    ...(models.length > 0 && { served_models: models.map((entity) => modelView(entity, context)) as Json }),
    traffic_config: {
      routes: routes.map(({ entity, percentage }) => ({
        served_entity_name: entity,
        served_model_name: entity,
        traffic_percentage: percentage,
      })),
    },
    config_version: version,
    ...(autoCapture && { auto_capture_config: captureView(autoCapture) }),
  };
}

function captureView(capture: JsonMembers): JsonMembers {
  if (capture.enabled !== true) return capture;
  const name = `${String(capture.table_name_prefix ?? '')}_payload`;
  return { ...capture, state: { payload_table: { name, status: 'PENDING', status_message: 'Nothing is captured.' } } };
}

/** Lists show only the names of entities. */
function specsOf({ entities }: EndpointConfig): JsonMembers {
  const specs = entities.map(({ name, fields: { entity_name, entity_version, external_model } }) =>
    omitAbsent({ name, entity_name, entity_version, external_model }),
  );
  const models = entities
    .filter((entity) => !isExternal(entity))
    .map(({ name, fields }) =>
      omitAbsent({ name, model_name: fields.entity_name, model_version: fields.entity_version }),
    );
  return { served_entities: specs as Json, ...(models.length > 0 && { served_models: models as Json }) };
}

/** The task of the external models of an endpoint, which is the same for all of them. */
export function taskOf({ config, pending }: ServingEndpoint): string | undefined {
  const model = (config ?? pending)?.entities[0]?.fields.external_model;
  return isObject(model) ? String(model.task) : undefined;
}

function common(endpoint: ServingEndpoint, { nameOf }: Named): JsonMembers {
  const { id, name, creator, description, tags, aiGateway, budgetPolicyId, config, update } = endpoint;
  const task = taskOf(endpoint);
  return {
    id,
    name,
    creator: nameOf(creator),
    creation_timestamp: endpoint.createdAt,
    last_updated_timestamp: endpoint.updatedAt,
    state: { ready: config ? 'READY' : 'NOT_READY', config_update: update },
    description,
    tags: tags as Json,
    ...(task !== undefined && { task }),
    ...(aiGateway && { ai_gateway: aiGateway }),
    ...(budgetPolicyId !== undefined && { budget_policy_id: budgetPolicyId }),
  };
}

export function summaryView(endpoint: ServingEndpoint, context: ViewContext): JsonMembers {
  const shown = endpoint.config ?? endpoint.pending;
  return { ...common(endpoint, context), ...(shown && { config: specsOf(shown) }) };
}

export function endpointView(
  call: Pick<PlatformCall, 'facts' | 'origin'>,
  endpoint: ServingEndpoint,
  context: Named,
): JsonMembers {
  const { config, pending, rateLimits, notifications, routeOptimized } = endpoint;
  const { isAtZero: _, ...plain } = context;
  const level = levelOf(call, endpoint);
  return {
    ...common(endpoint, context),
    ...(config && { config: configView(config, context) }),
    ...(pending && { pending_config: { ...configView(pending, plain), start_time: pending.startedAt } }),
    ...(rateLimits && { rate_limits: rateLimits as Json }),
    ...(notifications && { email_notifications: notifications }),
    ...(level !== undefined && { permission_level: level }),
    route_optimized: routeOptimized,
    ...(routeOptimized && dataPlane(call, endpoint)),
  };
}

/** The highest level of the caller. */
const levelOf = (call: Pick<PlatformCall, 'facts'>, endpoint: ServingEndpoint): string | undefined =>
  typeRow('serving-endpoints').levels.findLast((level) => allows(call, guardedEndpoint(endpoint), level));

/** Query URL of a route-optimised endpoint, and the authorization details that its token needs. */
function dataPlane({ origin }: Pick<PlatformCall, 'origin'>, { id, name }: ServingEndpoint): JsonMembers {
  const url = `${origin}/serving-endpoints/${name}/invocations`;
  const details = [
    {
      type: 'workspace_permission',
      object_type: 'serving-endpoints',
      object_path: `/serving-endpoints/${id}`,
      actions: ['query_inference_endpoint'],
    },
  ];
  return {
    endpoint_url: url,
    data_plane_info: { query_info: { endpoint_url: url, authorization_details: JSON.stringify(details) } },
  };
}
