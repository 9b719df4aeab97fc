import type { Reader } from '../../../kernel/store/index.ts';
import { errors } from '../errors.ts';
import { type PlatformCall, workspaceIn } from '../jar.ts';
import { requireLevel } from '../permissions/guard.ts';
import { endpointKey, type ServingEndpoint, servingEndpoints } from './collections.ts';
import { guardedEndpoint } from './guarded.ts';
import { isServingName } from './served-entity.ts';

export type ServingLevel = 'CAN_VIEW' | 'CAN_QUERY' | 'CAN_MANAGE';

export const noEndpoint = (name: string) =>
  errors.RESOURCE_DOES_NOT_EXIST({ reason: `Endpoint with name '${name.slice(0, 200)}' does not exist.` });

/** The endpoint of this name in the workspace of the call; throws if it does not exist or the caller lacks this level. */
export async function findEndpoint(
  call: Pick<PlatformCall, 'jar' | 'facts'>,
  name: string,
  level: ServingLevel,
  reader: Pick<Reader, 'get'> = call.jar.store,
): Promise<ServingEndpoint> {
  const key = endpointKey(workspaceIn(call).id, name);
  const found = isServingName(name) ? (await reader.get(servingEndpoints, key))?.value : undefined;
  if (!found) throw noEndpoint(name);
  requireLevel(call, guardedEndpoint(found), level);
  return found;
}

/** The same from the cache, for queries. */
export async function cachedEndpoint(
  call: Pick<PlatformCall, 'jar' | 'facts'>,
  name: string,
  level: ServingLevel,
): Promise<ServingEndpoint> {
  const { store } = call.jar;
  return findEndpoint(call, name, level, { get: (collection, key) => store.cached(collection, key) });
}
