import { ApiError } from '../http/errors.ts';
import { type Answer, ok } from '../http/route.ts';
import { ODataError } from '../odata/errors.ts';
import { type ListRequest, type PageRules, readList } from '../odata/list.ts';
import { type QueryOptions, readQueryOptions } from '../odata/query.ts';
import { armBody } from '../odata/render.ts';
import type { EntityShape } from '../odata/shape.ts';
import type { Collection, Query } from '../store/types.ts';
import { gatewayErrors } from './errors.ts';
import { gatewayFilter } from './filter.ts';
import { queryValue } from './gateway.ts';
import type { ArmCall } from './route.ts';

const RULES: PageRules = { size: 100, most: 1000, top: 'page' };

interface ListSource<T> extends Pick<Query, 'prefix' | 'filter' | 'order'> {
  /** Properties for `$filter` and `$orderby`; without it both are ignored. */
  readonly shape?: EntityShape<T>;
  /** Page sizes of the provider; by default those of the gateway. */
  readonly rules?: PageRules;
  /** Rewrites filters if the provider's names differ from the gateway's. */
  readonly rewrite?: ListRequest<T>['rewrite'];
  /** Replaces the sent query if the provider uses other parameter names. */
  readonly query?: ArmCall['query'];
}

/** Returns a page of a list: `value`, and `nextLink` if there are more items. */
export function listPage<T>(
  call: ArmCall,
  collection: Collection<T>,
  source: ListSource<T>,
  view: (document: T) => unknown,
  extra: Record<string, unknown> = {},
): Promise<Answer> {
  return listPageOf(call, collection, source, (documents) => documents.map(view), extra);
}

/** Like `listPage`, for views that need other documents: converts a page of documents at once. */
export async function listPageOf<T>(
  call: ArmCall,
  collection: Collection<T>,
  { shape, rules = RULES, rewrite, query = call.query, ...source }: ListSource<T>,
  views: (documents: readonly T[]) => Promise<readonly unknown[]> | readonly unknown[],
  extra: Record<string, unknown> = {},
): Promise<Answer> {
  const { store, vault, config } = call.jar;
  try {
    const page = await readList({
      ...source,
      store,
      vault,
      now: call.receivedAt,
      shape: shape ?? { name: collection.name, collection, properties: {}, scan: 'refused' },
      options: readOptions(query, shape !== undefined),
      rewrite: rewrite ?? ((node, text) => gatewayFilter(node, text, config.namespace)),
      list: call.path.toLowerCase(),
      rules,
    });
    const value = await views(page.items.map((item) => item.value));
    return ok(armBody(call, { value, skipToken: page.skipToken }, extra));
  } catch (error) {
    throw error instanceof ODataError ? refused(error, call) : error;
  }
}

function readOptions(query: ArmCall['query'], filtered: boolean): QueryOptions {
  const { filter, orderBy, top, skipToken } = readQueryOptions(query);
  if (top === 0) throw gatewayErrors.InvalidTop({ top }, { target: '$top' });
  return filtered ? { filter, orderBy, top, skipToken } : { top, skipToken };
}

function refused({ option, message }: ODataError, call: ArmCall): ApiError {
  const reason = `${message}.`;
  if (option === '$filter') return gatewayErrors.InvalidFilterInQueryString({ reason }, { target: option });
  if (option === '$skiptoken') return gatewayErrors.InvalidSkipToken();
  if (option !== '$top')
    return new ApiError(400, 'InvalidParameter', `The '${option}' is not valid: ${reason}`, { target: option });
  return gatewayErrors.InvalidTop({ top: (queryValue(call, '$top') ?? '').slice(0, 40) }, { target: option });
}
