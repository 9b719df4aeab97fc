import { noContent, preflightHeaders, type Route } from '../../kernel/http/index.ts';
import type { OpenService } from '../../kernel/service/index.ts';
import { authorizeRoutes } from './authorize.ts';
import { devicePageRoutes } from './device-page.ts';
import { deviceStartRoutes } from './device-start.ts';
import { discoveryRoutes } from './discovery.ts';
import { type IdentityShape, route, UNUSED_BODY_BYTES } from './family.ts';
import { forget } from './forget.ts';
import { instanceRoutes } from './instance.ts';
import { logoutRoutes } from './logout.ts';
import { tokenRoutes } from './token.ts';
import { userRealmRoutes } from './user-realm.ts';
import { userinfoRoutes } from './userinfo.ts';

/** The service keeps no memory: sessions and grants are in the store, failed attempts in the limits. */
export function openIdentity(): OpenService {
  const routes = [
    ...instanceRoutes,
    ...discoveryRoutes,
    ...userRealmRoutes,
    ...authorizeRoutes,
    ...deviceStartRoutes,
    ...devicePageRoutes,
    ...tokenRoutes,
    ...userinfoRoutes,
    ...logoutRoutes,
  ];
  return { routes: [...routes, ...preflights(routes)], work: [forget] };
}

/** Preflight routes for the endpoints that scripts of any origin may use, and only for those. */
function preflights(of: readonly Route<IdentityShape>[]): Route[] {
  const open = new Map(of.filter(({ traits }) => traits?.cors === true).map((each) => [each.path, each]));
  return [...open.values()].map(({ path, operation }) =>
    route({
      method: 'OPTIONS',
      path,
      operation: `${operation}Preflight`,
      summary: 'CORS preflight: pages of any origin may call',
      open: true,
      accepts: 'bytes',
      bodyLimitBytes: UNUSED_BODY_BYTES,
      responses: { 204: 'Allowed' },
      handle: (call) => noContent(preflightHeaders(call) ?? { allow: 'GET, POST, OPTIONS' }),
    }),
  );
}
