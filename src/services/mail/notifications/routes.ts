import { type CoveredOperation, type Method, type Route, routeOf } from '../../../kernel/http/index.ts';
import { subscriptionRequests } from './handle.ts';
import { SUBSCRIPTION_OPERATIONS } from './operations.ts';

const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'DELETE'];
const PATHS = ['subscriptions', 'subscriptions/{rest*}', 'subscriptions({id})'] as const;

/** The table of operations (`operations.ts`) interprets the paths. */
export const subscriptionRoutes: readonly Route[] = (['v1.0', 'beta'] as const).flatMap((version) =>
  PATHS.flatMap((path, index) =>
    METHODS.map((method) =>
      routeOf(
        {
          method,
          path: `/${version}/${path}`,
          operation: `Mail_${method.toLowerCase()}_subscriptions${index + 1}_${version === 'beta' ? 'beta' : 'v1'}`,
          summary: 'Subscriptions to change notifications',
          accepts: 'bytes',
          ...(path.endsWith('/{rest*}') && { covers: () => coveredBy(method, version) }),
        },
        subscriptionRequests,
      ),
    ),
  ),
);

const coveredBy = (method: Method, version: string): readonly CoveredOperation[] =>
  SUBSCRIPTION_OPERATIONS.filter((row) => row.method === method && row.path.includes('/')).map(({ path, name }) => ({
    method,
    path: `/${version}/${path}`,
    operation: `Mail_${name}`,
    summary: 'A subscription to change notifications',
    isAlias: version === 'beta',
  }));
