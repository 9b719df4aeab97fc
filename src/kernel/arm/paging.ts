import { ApiError } from '../http/errors.ts';
import { type Answer, ok } from '../http/route.ts';
import { ODataError } from '../odata/errors.ts';
import { type PageRules, readList } from '../odata/list.ts';
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
  /** What clients may ask for; without it `$filter` and `$orderby` have no effect. */
  readonly shape?: EntityShape<T>;
  /** The provider's own sizes of pages; the gateway's unless given. */
  readonly rules?: PageRules;
}

/** A page of a list as management clients expect it: `value`, and `nextLink` while there is more. */
export async function listPage<T>(
  call: ArmCall,
  collection: Collection<T>,
  { shape, rules = RULES, ...source }: ListSource<T>,
  view: (document: T) => unknown,
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
      options: readOptions(call, shape !== undefined),
      rewrite: (node, text) => gatewayFilter(node, text, config.namespace),
      list: call.path.toLowerCase(),
      rules,
    });
    const value = page.items.map((item) => view(item.value));
    return ok(armBody(call, { value, skipToken: page.skipToken }, extra));
  } catch (error) {
    throw error instanceof ODataError ? refused(error, call) : error;
  }
}

function readOptions(call: ArmCall, filtered: boolean): QueryOptions {
  const { filter, orderBy, top, skipToken } = readQueryOptions(call.query);
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
