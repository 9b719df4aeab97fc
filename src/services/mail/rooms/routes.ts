import { type Route, routeOf } from '../../../kernel/http/index.ts';
import { headOf } from '../api/handle.ts';
import { errors } from '../errors.ts';
import { type MailHttpCall, routeCode } from '../jar.ts';
import { performPlaces } from './places.ts';

const places = routeCode([], {
  handle(call: MailHttpCall) {
    if (!call.caller) throw errors.ErrorAccessDenied();
    return performPlaces(call.jar, call.caller, headOf(call));
  },
});

const PATHS = [
  ['places/{path*}', ''],
  ['places({place})', 'keyed_'],
  ['places({place})/{path*}', 'typed_'],
] as const;

export const placeRoutes: readonly Route[] = (['v1.0', 'beta'] as const).flatMap((version) =>
  PATHS.map(([path, name]) =>
    routeOf(
      {
        method: 'GET',
        path: `/${version}/${path}`,
        operation: `Mail_Places_${name}${version === 'beta' ? 'beta' : 'v1'}`,
        summary: 'The rooms of a tenant',
      },
      places,
    ),
  ),
);
