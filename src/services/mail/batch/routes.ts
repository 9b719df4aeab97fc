import { type Route, routeOf } from '../../../kernel/http/index.ts';
import { batch } from './handle.ts';

export const batchRoutes: readonly Route[] = (['v1.0', 'beta'] as const).map((version) =>
  routeOf(
    {
      method: 'POST',
      path: `/${version}/$batch`,
      operation: `Mail_Batch_${version === 'beta' ? 'beta' : 'v1'}`,
      summary: 'Up to 20 requests in one',
      accepts: 'bytes',
    },
    batch,
  ),
);
