import { allOf, atLeast, atMost, eq } from '../../../../kernel/store/index.ts';
import { isList, type JsonMembers } from '../../../../kernel/values/index.ts';
import type { FieldRules } from '../../engine/fields.ts';
import { readPage } from '../../engine/paging.ts';
import { errors } from '../../errors.ts';
import type { PlatformCall } from '../../jar.ts';
import { type ClusterEvent, clusterEvents } from '../collections.ts';
import { findCluster, keyOf } from './find.ts';
import { readRequest } from './request.ts';

const MOST = 500;
const USUAL = 50;

const REQUEST: FieldRules = {
  cluster_id: { type: 'string', required: true },
  start_time: { type: 'integer' },
  end_time: { type: 'integer' },
  order: { type: 'string', words: ['ASC', 'DESC'], default: 'DESC' },
  event_types: { type: 'array', most: 100 },
  page_size: { type: 'integer' },
  page_token: { type: 'string' },
  offset: { type: 'integer', least: 0 },
  limit: { type: 'integer' },
};

const view = (clusterId: string, { at, type, details }: ClusterEvent): object => ({
  cluster_id: clusterId,
  timestamp: at,
  type,
  details,
});

const clamped = (size: JsonMembers[string]): number =>
  typeof size === 'number' ? Math.min(Math.max(size, 0), MOST) : USUAL;

/** The events of a cluster, by tokens, or by an offset as older clients have it. */
export async function listEvents(call: PlatformCall): Promise<object> {
  const request = readRequest(call, REQUEST);
  const { jar, facts, route } = call;
  const cluster = await findCluster(call, String(request.cluster_id), 'CAN_ATTACH_TO');
  const { start_time: from, end_time: to, event_types: types, order, page_token: token, page_size: size } = request;
  const filter = allOf(
    eq('cluster', keyOf(cluster)),
    typeof from === 'number' ? atLeast('at', from) : undefined,
    typeof to === 'number' ? atMost('at', to) : undefined,
    types !== undefined && isList(types) && types.length > 0
      ? { op: 'in', field: 'type', values: types.map(String) }
      : undefined,
  );
  const query = { filter, order: [{ field: 'at', descending: order === 'DESC' }] };
  const total_count = await jar.store.count(clusterEvents, { filter });
  const isPaged = size !== undefined || token !== undefined;
  if (!isPaged) return { ...(await byOffset(call, request, query)), total_count };
  const wanted = clamped(size);
  // A page of nothing asks for the count alone.
  if (wanted === 0) return { events: [], total_count };
  const { items, next } = await readPage(
    { jar, facts, route, query: token === undefined ? {} : { page_token: String(token) } },
    { collection: clusterEvents, query, size: wanted },
  );
  return {
    events: items.map(({ value }) => view(cluster.id, value)),
    total_count,
    ...(next !== undefined && {
      next_page_token: next,
      next_page: { ...request, page_token: next, page_size: wanted },
    }),
  };
}

/** `next_page` is the request for the next page. */
async function byOffset(
  { jar }: PlatformCall,
  request: JsonMembers,
  query: Pick<Parameters<PlatformCall['jar']['store']['query']>[1], 'filter' | 'order'>,
): Promise<object> {
  const offset = Number(request.offset ?? 0);
  const limit = clamped(request.limit);
  if (offset > 0 && request.order === 'DESC' && request.end_time === undefined)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: "The field 'offset' needs an 'end_time' where the order is DESC, since new events would move the pages.",
    });
  if (limit === 0) return { events: [] };
  const { items, next } = await jar.store.query(clusterEvents, { ...query, skip: offset, limit });
  const { clock } = jar;
  const following = { ...request, offset: offset + limit, limit, end_time: request.end_time ?? clock.now() };
  return {
    events: items.map(({ value }) => view(String(request.cluster_id), value)),
    ...(next !== undefined && { next_page: following }),
  };
}
