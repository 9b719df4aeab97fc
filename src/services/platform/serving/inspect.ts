import { ok } from '../../../kernel/http/index.ts';
import { isoTime } from '../../../kernel/time/index.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, routeCode } from '../jar.ts';
import type { Operation } from '../operation.ts';
import type { ServedEntity, ServingEndpoint } from './collections.ts';
import { findEndpoint, type ServingLevel } from './find.ts';
import { metricsOf } from './metrics.ts';
import { openApiOf } from './openapi.ts';

/** Read-only views of an endpoint: metrics, its API, and the logs of its entities. */

const PATH = '/serving-endpoints/{name}';

/** An entity of the configuration in force, or of the one being deployed. */
async function findEntity(
  call: PlatformCall,
  { name, served_model_name: named }: { readonly name: string; readonly served_model_name: string },
  level: ServingLevel,
): Promise<{ readonly endpoint: ServingEndpoint; readonly entity: ServedEntity }> {
  const endpoint = await findEndpoint(call, name, level);
  const all = [...(endpoint.pending?.entities ?? []), ...(endpoint.config?.entities ?? [])];
  const entity = all.find((each) => each.name === named);
  if (entity) return { endpoint, entity };
  throw errors.RESOURCE_DOES_NOT_EXIST({
    reason: `The endpoint '${endpoint.name}' serves no entity '${named.slice(0, 100)}'.`,
  });
}

/** Simulated build log: the environment of the entity, and the outcome. */
function buildLog({ name, fields, deployment, message, createdAt }: ServedEntity): string {
  const what = [fields.entity_name ?? name, fields.entity_version]
    .filter((part) => part !== undefined)
    .join(' version ');
  const ends: Readonly<Partial<Record<ServedEntity['deployment'], string>>> = {
    DEPLOYMENT_READY: 'Container image creation finished successfully!',
    DEPLOYMENT_FAILED: `Container image creation failed: ${message}`,
    DEPLOYMENT_ABORTED: message,
  };
  const lines = [`${isoTime(createdAt)} Creating the environment of ${what}.`, ends[deployment]];
  return `${lines.filter((line) => line !== undefined).join('\n')}\n`;
}

const text = (
  path: string,
  operation: string,
  summary: string,
  produces: string,
  code: Operation['code'],
): Operation => ({
  method: 'GET',
  path: `${PATH}${path}`,
  operation: `servingEndpoints_${operation}`,
  summary,
  produces,
  code,
});

const log = (
  path: string,
  operation: string,
  summary: string,
  read: (call: PlatformCall, endpoint: ServingEndpoint, entity: ServedEntity) => string,
): Operation => ({
  method: 'GET',
  path: `${PATH}/served-models/{served_model_name}/${path}`,
  operation: `servingEndpoints_${operation}`,
  summary,
  code: routeCode(['name', 'served_model_name'], {
    async handle(call) {
      const { endpoint, entity } = await findEntity(call, call.params, 'CAN_MANAGE');
      return ok({ logs: read(call, endpoint, entity) });
    },
  }),
});

export const INSPECT_OPERATIONS: readonly Operation[] = [
  text(
    '/metrics',
    'exportMetrics',
    'Metrics of an endpoint in the format of Prometheus',
    'text/plain',
    routeCode(['name'], {
      async handle(call) {
        const endpoint = await findEndpoint(call, call.params.name, 'CAN_VIEW');
        const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };
        return ok(metricsOf(call.jar, endpoint), headers);
      },
    }),
  ),
  text(
    '/openapi',
    'getOpenApi',
    'The OpenAPI document of the queries that an endpoint takes',
    'application/json',
    routeCode(['name'], {
      async handle(call) {
        return ok(openApiOf(call.origin, await findEndpoint(call, call.params.name, 'CAN_VIEW')));
      },
    }),
  ),
  log('build-logs', 'buildLogs', 'The log of the build of a served entity', (_call, _endpoint, entity) =>
    buildLog(entity),
  ),
  log('logs', 'logs', 'The queries that a served entity answered last', ({ jar }, endpoint, { name }) =>
    jar.servingLoad
      .of(endpoint, name)
      .lines.map((line) => `${line}\n`)
      .join(''),
  ),
];
