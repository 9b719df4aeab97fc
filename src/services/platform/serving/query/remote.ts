import type { Answer } from '../../../../kernel/http/index.ts';
import { Calls, OutboundError } from '../../../../kernel/outbound/index.ts';
import { SECOND_MS } from '../../../../kernel/time/index.ts';
import { isObject, type JsonMembers } from '../../../../kernel/values/index.ts';
import { membersOf, textOf } from '../../engine/json.ts';
import { platformError } from '../../errors.ts';
import type { PlatformCall, PlatformJar } from '../../jar.ts';
import { readTaskVariables } from '../../secrets/task-variables.ts';
import {
  type EndpointConfig,
  modelContainers,
  type ServedEntity,
  type ServingEndpoint,
  useKey,
} from '../collections.ts';
import { addressOf } from '../containers/await-model.ts';
import { imageOf } from '../containers/new-containers.ts';
import type { QueryRequest } from './request.ts';
import { variableOf } from './simulated.ts';

/** Entities with a real server: a container, a URL in a variable, or a provider with a configured base URL. */

/** A variable of an entity: the URL to which the body of a query is posted, and whose response is returned. */
export const MODEL_URL = 'CLOUDJAR_MODEL_URL';

/** The longest duration of a custom model query that the documentation states. */
const TIMEOUT_MS = 297 * SECOND_MS;
const MOST_ANSWER_BYTES = 16 * 1024 * 1024;

/** Other content types would be rendered by browsers as pages of the jar. */
const PASSED_TYPES = /^(?:application\/json|text\/event-stream|text\/plain)(?:$|[ ;])/i;

interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
  /** A container of the jar itself, which the outbound guard does not check. */
  readonly isOwn?: boolean;
}

/** The server of an entity; undefined if the response is simulated. */
export async function remoteTarget(
  jar: PlatformJar,
  endpoint: ServingEndpoint,
  config: EndpointConfig,
  entity: ServedEntity,
  request: QueryRequest,
): Promise<Target | undefined> {
  const own = await containerTarget(jar, endpoint, config, entity, request);
  if (own) return own;
  const url = variableOf(entity, MODEL_URL);
  if (url !== undefined && url !== '') return { url, headers: {}, body: request.bytes };
  const model = entity.fields.external_model;
  if (!isObject(model)) return undefined;
  const found = PROVIDER_TARGETS[String(model.provider)]?.(model as JsonMembers, request);
  if (!found) return undefined;
  const key = await keyFor(jar, endpoint, entity, found.keyAt);
  const { model: _, ...body } = request.body;
  const sent = { ...(found.namesModel && { model: model.name }), ...body };
  return { url: found.url, headers: found.auth(key), body: JSON.stringify(sent) };
}

async function containerTarget(
  jar: PlatformJar,
  endpoint: ServingEndpoint,
  config: EndpointConfig,
  entity: ServedEntity,
  { bytes }: QueryRequest,
): Promise<Target | undefined> {
  if (imageOf(jar, entity) === undefined) return undefined;
  const container = (await jar.store.cached(modelContainers, useKey(endpoint, config, entity.name)))?.value;
  const address = container && addressOf(container);
  if (address === undefined) throw noAnswer(entity, 'its container has no address');
  return { url: `${address}/invocations`, headers: {}, body: bytes, isOwn: true };
}

interface ProviderTarget {
  readonly url: string;
  /** The path of the key below `external_model`. */
  readonly keyAt: string;
  readonly namesModel: boolean;
  auth(key: string): Readonly<Record<string, string>>;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** Paths of the API that these providers share. */
const PATHS = {
  chat: 'chat/completions',
  completion: 'completions',
  embedding: 'embeddings',
  predict: 'completions',
} as const;

function joined(base: string, path: string): string {
  let end = base.length;
  while (end > 0 && base[end - 1] === '/') end--;
  return `${base.slice(0, end)}/${path}`;
}

type Find = (model: JsonMembers, request: QueryRequest) => ProviderTarget | undefined;

/** Providers that are called if their base URL is configured. Nothing is ever sent to their public default URLs. */
const PROVIDER_TARGETS: Readonly<Partial<Record<string, Find>>> = {
  openai({ openai_config }, { kind }) {
    const config = membersOf(openai_config);
    const base = textOf(config.openai_api_base);
    if (base === undefined) return undefined;
    const keyAt = 'openai_config.openai_api_key';
    const deployment = textOf(config.openai_deployment_name);
    if (config.openai_api_type !== 'azure' || deployment === undefined)
      return { url: joined(base, PATHS[kind]), keyAt, namesModel: true, auth: bearer };
    const version = encodeURIComponent(textOf(config.openai_api_version) ?? '');
    const path = `openai/deployments/${encodeURIComponent(deployment)}/${PATHS[kind]}?api-version=${version}`;
    return { url: joined(base, path), keyAt, namesModel: false, auth: (key) => ({ 'api-key': key }) };
  },
  cohere({ cohere_config }, { kind }) {
    const base = textOf(membersOf(cohere_config).cohere_api_base);
    if (base === undefined) return undefined;
    return { url: joined(base, PATHS[kind]), keyAt: 'cohere_config.cohere_api_key', namesModel: true, auth: bearer };
  },
  custom({ custom_provider_config }) {
    const config = membersOf(custom_provider_config);
    const url = String(config.custom_provider_url);
    const named = textOf(membersOf(config.api_key_auth).key);
    return named === undefined
      ? {
          url,
          keyAt: 'custom_provider_config.bearer_token_auth.token',
          namesModel: true,
          auth: (key) => (key === '' ? {} : bearer(key)),
        }
      : {
          url,
          keyAt: 'custom_provider_config.api_key_auth.value',
          namesModel: true,
          auth: (key) => ({ [headerName(named)]: key }),
        };
  },
  'databricks-model-serving'({ name, databricks_model_serving_config }) {
    const base = String(membersOf(databricks_model_serving_config).databricks_workspace_url);
    const url = joined(base, `serving-endpoints/${encodeURIComponent(String(name))}/invocations`);
    return { url, keyAt: 'databricks_model_serving_config.databricks_api_token', namesModel: false, auth: bearer };
  },
};

/** Characters that a header name cannot contain become dashes. */
const headerName = (text: string): string => text.toLowerCase().replace(/[^a-z0-9-]/g, '-');

/** The key that was sent as plain text, or the referenced secret, which the creator of the entity must be allowed to read. */
async function keyFor(jar: PlatformJar, endpoint: ServingEndpoint, entity: ServedEntity, at: string): Promise<string> {
  if (entity.sealed !== undefined) {
    const plain = (JSON.parse(jar.vault.open(entity.sealed)) as Record<string, string>)[`${at}_plaintext`];
    if (plain !== undefined) return plain;
  }
  let value: unknown = entity.fields.external_model;
  for (const name of at.split('.')) value = isObject(value) ? value[name] : undefined;
  if (typeof value !== 'string') return '';
  const { accountId, workspaceId } = endpoint;
  const acting = { accountId, workspaceId, runAs: entity.creator };
  const read = await jar.store.transact((tx) => readTaskVariables(tx, jar, acting, { key: value }));
  if (typeof read === 'string') throw platformError(400, 'BAD_REQUEST', read, []);
  return read.variables.key ?? '';
}

/** Sends the query to the entity's server and returns the response with its status. */
export async function askRemote(
  call: PlatformCall,
  entity: ServedEntity,
  { url, headers, body, isOwn = false }: Target,
): Promise<Answer> {
  try {
    const answer = await Calls.during(call.signal, (calls) =>
      call.jar.outbound.send({
        url,
        headers: { 'content-type': 'application/json', ...headers },
        secretParts: Object.keys(headers),
        body,
        timeoutMs: TIMEOUT_MS,
        maxBodyBytes: MOST_ANSWER_BYTES,
        plainHttp: true,
        trusted: isOwn,
        calls,
      }),
    );
    if (answer.truncated) throw noAnswer(entity, `its answer is larger than ${MOST_ANSWER_BYTES} bytes`);
    if (answer.status >= 300 && answer.status < 400) throw noAnswer(entity, `it answered with status ${answer.status}`);
    const type = answer.headers['content-type'];
    const retry = answer.headers['retry-after'];
    return {
      status: answer.status,
      headers: {
        'content-type': typeof type === 'string' && PASSED_TYPES.test(type) ? type : 'application/octet-stream',
        ...(typeof retry === 'string' && { 'retry-after': retry }),
      },
      body: answer.body,
    };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.failure === 'TimedOut')
      throw platformError(504, 'DEADLINE_EXCEEDED', `The served entity ${entity.name} did not answer in time.`, []);
    throw noAnswer(entity, error.message);
  }
}

const noAnswer = ({ name }: ServedEntity, reason: string) =>
  platformError(502, 'INTERNAL_ERROR', `The served entity ${name} did not answer: ${reason}.`, []);
