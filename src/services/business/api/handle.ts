import { type Answer, NothingServed } from '../../../kernel/http/index.ts';
import { type BusinessCall, routeCode } from '../jar.ts';
import { STANDARD_APIS } from '../model/model.ts';
import type { Api } from '../model/types.ts';
import { ensureTenant } from '../sample/unpack.ts';
import { withinTime } from '../throttle/deadline.ts';
import { actorOf } from '../users/permissions.ts';
import { handleRuntime } from '../webhooks/supported.ts';
import { isJson, jsonReader } from './body.ts';
import { dispatch } from './dispatch.ts';
import { parsePath } from './path.ts';
import type { BusinessRequest } from './request.ts';
import { openSession } from './session.ts';
import { resourceNotFound, unknownSegment } from './unknown-segment.ts';

const STANDARD_VERSION = /^(v\d+\.\d+|beta)$/i;

/** The one handler of all routes: the path determines the API, the records and the operation. */
export const business = routeCode([], { handle });

function handle(call: BusinessCall): Promise<Answer> {
  return withinTime(call, async (deadline) => {
    const { jar } = call;
    const actor = await actorOf(call);
    const { prefix, route, path } = splitAddress(call);
    if (RUNTIME.test(route)) {
      await ensureTenant(jar, actor.tenantId);
      return handleRuntime(call, actor, { base: call.origin + prefix, path });
    }
    const { model } = jar;
    const api = apiOf(call, route);
    await ensureTenant(jar, actor.tenantId);
    const { tenantId } = actor;
    const base = call.origin + prefix;
    const session = openSession({
      jar,
      model,
      api,
      tenantId,
      actor,
      isReader: call.caller?.readOnly === true,
      now: call.receivedAt,
      base,
      requestId: call.requestId,
      correlationId: call.correlationId,
      deadline,
    });
    return dispatch(session, requestOf(call, path), (operation) => name(call, operation));
  });
}

/**
 * A step of the family. Refuses a mistyped path of the standard APIs before authentication, so that the client does not look for the
 * mistake in its token. Paths of custom APIs are not revealed to unauthenticated clients.
 */
export function refuseUnknownPath(call: BusinessCall): void {
  if (!ADDRESS.test(call.path)) return;
  const { prefix, route, path } = splitAddress(call);
  if (RUNTIME.test(route)) return;
  const api = apiOf(call, route);
  if (!STANDARD_APIS.includes(api)) return;
  const unknown = unknownSegment(call.jar.model, api, parsePath(path));
  if (unknown) throw resourceNotFound(path, unknown, call.origin + prefix);
}

/** Paths of the APIs; a jar may have routes at other paths. */
const ADDRESS = /\/api(\/|$)/i;
const RUNTIME = /^(vendor|microsoft)\/runtime\//i;

function apiOf(call: BusinessCall, route: string): Api {
  const api = call.jar.model.api(route);
  if (!api) throw new NothingServed(`there is no API '${route}'`);
  return api;
}

/** Metrics and logs name the operation and its set instead of the one common route. */
function name(call: BusinessCall, operation: string): void {
  call.operation = operation;
}

interface Address {
  /** `/api/v2.0` with everything before it, as sent. */
  readonly prefix: string;
  /** `v2.0`, `contoso/fleet/v1.0` */
  readonly route: string;
  /** The path below the API, as sent. */
  readonly path: string;
}

function splitAddress({ path }: BusinessCall): Address {
  const segments = path.split('/').slice(1);
  const api = segments.findIndex((segment) => segment.toLowerCase() === 'api');
  const length = STANDARD_VERSION.test(segments[api + 1] ?? '') ? 1 : 3;
  const end = api + 1 + length;
  return {
    prefix: `/${segments.slice(0, end).join('/')}`,
    route: segments
      .slice(api + 1, end)
      .map(decodeURIComponent)
      .join('/'),
    path: segments.slice(end).join('/'),
  };
}

function requestOf(call: BusinessCall, path: string): BusinessRequest {
  const { method, query, headers, url } = call;
  const question = url.indexOf('?');
  const search = question < 0 ? '' : url.slice(question + 1);
  const bytes = Buffer.isBuffer(call.body) && call.body.length > 0 ? call.body : undefined;
  const read = bytes === undefined ? () => undefined : bodyReader(bytes, headers['content-type'], path);
  return {
    method,
    path,
    query,
    search,
    headers,
    ...(bytes && { bytes }),
    get body() {
      return read();
    },
  };
}

/** Parses JSON; any other body (a picture, a batch) stays bytes. */
function bodyReader(bytes: Buffer, type: string | string[] | undefined, path: string): () => unknown {
  const isOpaque = /^\$batch$/i.test(path) || !isJson(type === undefined ? undefined : String(type));
  return isOpaque ? () => bytes : jsonReader(bytes);
}
