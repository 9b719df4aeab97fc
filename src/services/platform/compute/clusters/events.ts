import { allOf, atLeast, atMost, eq } from '../../../../kernel/store/index.ts';
import { isList, type JsonMembers } from '../../../../kernel/values/index.ts';
import type { FieldRules } from '../../engine/fields.ts';
import { readTwoWayPage } from '../../engine/two-way-paging.ts';
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
  event_types: { type: 'array', most: 100, items: { type: 'string' } },
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

/** A size outside the bounds is replaced by the nearest bound; a missing size or 0 selects the default. */
const sizeOf = (asked: JsonMembers[string]): number =>
  typeof asked === 'number' && asked > 0 ? Math.min(asked, MOST) : USUAL;

/** The events of a cluster, paginated by token, or by offset for older clients. The answer contains both ways to get the next page. */
export async function listEvents(call: PlatformCall): Promise<object> {
  const request = readRequest(call, REQUEST);
  const cluster = await findCluster(call, String(request.cluster_id), 'CAN_ATTACH_TO');
  const { start_time: from, end_time: to, event_types: types, order, page_token, page_size, limit } = request;
  const filter = allOf(
    eq('cluster', keyOf(cluster)),
    typeof from === 'number' ? atLeast('at', from) : undefined,
    typeof to === 'number' ? atMost('at', to) : undefined,
    types !== undefined && isList(types) && types.length > 0
      ? { op: 'in', field: 'type', values: types.map(String) }
      : undefined,
  );
  const token = String(page_token ?? '');
  const offset = token === '' ? Number(request.offset ?? 0) : 0;
  if (offset > 0 && order === 'DESC' && to === undefined)
    throw errors.INVALID_PARAMETER_VALUE({
      reason: "The field 'offset' needs an 'end_time' if the order is DESC, since new events would shift the pages.",
    });
  const size = sizeOf(page_size ?? limit);
  const query = { filter, order: [{ field: 'at', descending: order === 'DESC' }] };
  const page = await readTwoWayPage(call, { collection: clusterEvents, query, size, token, skip: offset });
  const { next_page_token } = page.tokens;
  const isByOffset = token === '' && page_size === undefined;
  const following = isByOffset
    ? { ...request, offset: offset + size, limit: size, end_time: to ?? call.jar.clock.now() }
    : { ...request, page_token: next_page_token, page_size: size };
  return {
    events: page.items.map(({ value }) => view(cluster.id, value)),
    total_count: await call.jar.store.count(clusterEvents, { filter }),
    ...page.tokens,
    ...(next_page_token !== undefined && { next_page: following }),
  };
}
