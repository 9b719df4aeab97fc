import { type CoveredOperation, type Method, type Route, routeOf } from '../../kernel/http/index.ts';
import { business } from './api/handle.ts';
import { STANDARD_APIS } from './model/model.ts';

const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** Paths of the application: its two versions, custom APIs, and the addresses that clients of the hosted service use. */
const PLACES = [
  ['/api/v1.0', 'V1'],
  ['/api/v2.0', 'V2'],
  ['/api/{publisher}/{group}/{version}', 'Custom'],
  ['/v2.0/{environment}/api', 'Hosted'],
  ['/v2.0/{tenant}/{environment}/api', 'HostedTenant'],
] as const;

const isStandard = (place: string): boolean => STANDARD_APIS.some(({ route }) => place === `/api/${route}`);

/** One route for each method and place: the model interprets the rest of the path. */
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
          ...(isStandard(place) && path !== place && { covers: () => coveredBy(method, place) }),
        },
        business,
      ),
    ),
  ),
);

/** Sets and operations of the standard APIs; custom APIs belong to their owners and are not listed. */
function coveredBy(method: Method, place: string): readonly CoveredOperation[] {
  const api = STANDARD_APIS.find(({ route }) => place === `/api/${route}`);
  if (!api) return [];
  return api.pages
    .filter(({ verbs }) => verbs.some((verb) => verb === method))
    .flatMap(({ set, entity, child }) => {
      const company = set === 'companies' || child ? '' : 'companies({company})/';
      const all = `${place}/${company}${set}`;
      const paths = method === 'GET' ? [all, `${all}({id})`] : [method === 'POST' ? all : `${all}({id})`];
      return paths.map((each) => ({
        method,
        path: each,
        operation: `${set}_${each === all && method === 'GET' ? 'List' : DONE[method]}`,
        summary: each === all && method === 'GET' ? `The ${set} of a company` : `${DONE[method]} one ${entity}`,
      }));
    });
}

const DONE: Readonly<Partial<Record<Method, string>>> = {
  GET: 'Get',
  POST: 'Create',
  PATCH: 'Update',
  PUT: 'Update',
  DELETE: 'Delete',
};
