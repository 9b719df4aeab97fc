import { type Method, type Route, routeOf } from '../../kernel/http/index.ts';
import { business } from './api/handle.ts';

const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** Where the application is: its own two versions, those of others, and the addresses that clients of the hosted service know. */
const PLACES = [
  ['/api/v1.0', 'V1'],
  ['/api/v2.0', 'V2'],
  ['/api/{publisher}/{group}/{version}', 'Custom'],
  ['/v2.0/{environment}/api', 'Hosted'],
  ['/v2.0/{tenant}/{environment}/api', 'HostedTenant'],
] as const;

/** One route for each method and place: what the rest of a path means is for the model to say. */
export const businessRoutes: readonly Route[] = PLACES.flatMap(([place, name]) =>
  METHODS.flatMap((method) =>
    [place, `${place}/{path*}`].map((path) =>
      routeOf(
        {
          method,
          path,
          operation: `Business${name}_${method.toLowerCase()}${path === place ? 'Root' : ''}`,
          summary: 'Companies, their records and what belongs to them, as the metadata of the API describes',
          accepts: 'bytes',
        },
        business,
      ),
    ),
  ),
);
