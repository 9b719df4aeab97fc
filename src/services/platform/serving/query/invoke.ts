import { type Answer, asApiError, ok } from '../../../../kernel/http/index.ts';
import { processTime } from '../../../../kernel/time/index.ts';
import { membersOf } from '../../engine/json.ts';
import { errors, PlatformError } from '../../errors.ts';
import { PLATFORM_FAMILY } from '../../family.ts';
import { type PlatformCall, workspaceIn } from '../../jar.ts';
import { checkBound } from '../../limits/take.ts';
import type { EndpointConfig, ServedEntity, ServingEndpoint } from '../collections.ts';
import { cachedEndpoint } from '../find.ts';
import { taskOf } from '../view.ts';
import { checkInput, checkOutput } from './guardrails.ts';
import type { Slot } from './load.ts';
import { takeRates } from './rates.ts';
import { askRemote, remoteTarget } from './remote.ts';
import { type QueryRequest, readJsonBody, readRequest, requestTokens } from './request.ts';
import { ensureUp } from './scale.ts';
import { simulatedAnswer } from './simulated.ts';
import { streamOf } from './stream.ts';

/** Queries of serving endpoints. */

/** Called before the body is read: checks that the caller may query the endpoint, and that the payload is small enough. */
export async function admitQuery(call: PlatformCall, name: string): Promise<void> {
  await cachedEndpoint(call, name, 'CAN_QUERY');
  checkPayload(call, name, Number(call.headers['content-length'] ?? 0));
}

/** `name` is empty if the body names the endpoint. */
export const checkPayload = (call: PlatformCall, name: string, bytes: number): void =>
  checkBound(call.jar, 'serving-payload', [workspaceIn(call).id, name], bytes);

/** The operations whose body names the endpoint as `model`. */
export async function queryByModel(call: PlatformCall): Promise<Answer> {
  const sent = readJsonBody(call.body);
  const { model } = sent.body;
  if (typeof model !== 'string' || model === '') throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'model' });
  checkPayload(call, model, sent.bytes.length);
  return answerQuery(call, await cachedEndpoint(call, model, 'CAN_QUERY'), sent);
}

export async function queryByName(call: PlatformCall, name: string, entity?: string): Promise<Answer> {
  const endpoint = await cachedEndpoint(call, name, 'CAN_QUERY');
  const sent = readJsonBody(call.body);
  // The length of a chunked body is known only after it was read.
  checkPayload(call, name, sent.bytes.length);
  return answerQuery(call, endpoint, sent, entity);
}

async function answerQuery(
  call: PlatformCall,
  endpoint: ServingEndpoint,
  sent: ReturnType<typeof readJsonBody>,
  named?: string,
): Promise<Answer> {
  const { config } = endpoint;
  if (!config)
    throw errors.RESOURCE_DOES_NOT_EXIST({
      reason: `The endpoint '${endpoint.name}' is not ready: no configuration of it has been deployed yet.`,
    });
  const request = readRequest(sent, taskOf(endpoint));
  const tried = named === undefined ? routed(call, endpoint, config) : [entityNamed(endpoint, config, named)];
  const query: RunningQuery = { call, endpoint, config, request, isCounted: false };
  let last: unknown;
  for (const [index, entity] of tried.entries()) {
    const isLast = index === tried.length - 1;
    try {
      const answer = await askEntity(query, entity);
      if (isLast || !fallsBack(answer.status)) return answer;
    } catch (error) {
      last = error;
      // A rate limit of the endpoint applies to every entity, so no fallback is tried.
      if (isLast || error === query.refusedByRate || !fallsBack(statusOf(error))) throw error;
    }
  }
  throw last;
}

const fallsBack = (status: number): boolean => status === 429 || status >= 500;

const statusOf = (error: unknown): number => asApiError(error, PLATFORM_FAMILY).status;

function entityNamed({ name }: ServingEndpoint, { entities }: EndpointConfig, entity: string): ServedEntity {
  const found = entities.find((each) => each.name === entity);
  if (found) return found;
  throw errors.RESOURCE_DOES_NOT_EXIST({
    reason: `The endpoint '${name}' serves no entity '${entity.slice(0, 100)}'.`,
  });
}

/** The entity chosen by the traffic split; with fallback, followed by the other entities in the order of the configuration. */
function routed({ jar }: PlatformCall, endpoint: ServingEndpoint, config: EndpointConfig): readonly ServedEntity[] {
  const first = entityNamed(endpoint, config, jar.servingLoad.pick(endpoint, config));
  if (membersOf(endpoint.aiGateway?.fallback_config).enabled !== true) return [first];
  const at = config.entities.indexOf(first);
  return [...config.entities.slice(at), ...config.entities.slice(0, at)];
}

interface RunningQuery {
  readonly call: PlatformCall;
  readonly endpoint: ServingEndpoint;
  readonly config: EndpointConfig;
  readonly request: QueryRequest;
  /** True once the rate limits have counted the query, which happens once however many entities are tried. */
  isCounted: boolean;
  refusedByRate?: unknown;
}

async function askEntity(query: RunningQuery, entity: ServedEntity): Promise<Answer> {
  const { call, endpoint, config, request } = query;
  const entered: Slot | PlatformError = call.jar.servingLoad.enter(call.jar, endpoint, config, entity);
  if (entered instanceof PlatformError) throw entered;
  const began = processTime();
  let status = 500;
  try {
    await countOnce(query);
    checkInput(endpoint, request);
    await ensureUp(call, endpoint, config, entity);
    const answer = await answerOf(query, entity);
    ({ status } = answer);
    return { ...answer, headers: { ...answer.headers, 'served-model-name': entity.name } };
  } catch (error) {
    status = statusOf(error);
    throw error;
  } finally {
    entered.leave(status, processTime() - began);
  }
}

async function countOnce(query: RunningQuery): Promise<void> {
  if (query.isCounted) return;
  try {
    await takeRates(query.call, query.endpoint, requestTokens(query.request));
  } catch (error) {
    query.refusedByRate = error;
    throw error;
  }
  query.isCounted = true;
}

async function answerOf({ call, endpoint, config, request }: RunningQuery, entity: ServedEntity): Promise<Answer> {
  const target = await remoteTarget(call.jar, endpoint, config, entity, request);
  if (target) return askRemote(call, entity, target);
  const answer = simulatedAnswer(request, entity, call.jar.clock.now());
  checkOutput(endpoint, answer);
  if ((request.kind === 'chat' || request.kind === 'completion') && request.stream)
    return { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' }, body: streamOf(answer) };
  return ok(answer);
}
