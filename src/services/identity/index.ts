import { preflightHeaders } from '../../kernel/http/cors.ts';
import { noContent, type Route, route } from '../../kernel/http/route.ts';
import { wholeService } from '../../kernel/whole-service.ts';
import { authorizeRoutes } from './authorize.ts';
import { attempts, FORGET, forget, grants, sessions } from './collections.ts';
import { discoveryRoutes } from './discovery.ts';
import { IDENTITY_FAMILY } from './family.ts';
import { logoutRoutes } from './logout.ts';
import { tokenRoutes } from './token.ts';
import { userinfoRoutes } from './userinfo.ts';

const routes = [...discoveryRoutes, ...authorizeRoutes, ...tokenRoutes, ...userinfoRoutes, ...logoutRoutes];

/** Signs people and applications in, and hands out the tokens that every other service checks. */
export const IDENTITY = wholeService({
  name: 'identity',
  title: 'Sign-in and tokens',
  family: IDENTITY_FAMILY,
  mounts: ['/common', '/organizations'],
  routes: [...routes, ...preflights(routes)],
  collections: [sessions, grants, attempts],
  work: { [FORGET]: forget },
});

/** Pages of any origin may use the addresses that are made for scripts, and only those. */
function preflights(of: readonly Route[]): Route[] {
  const open = new Map(of.filter(({ traits }) => traits?.cors === true).map((each) => [each.path, each]));
  return [...open.values()].map(({ path, operation }) =>
    route({
      method: 'OPTIONS',
      path,
      operation: `${operation}Preflight`,
      summary: 'Tells a browser that pages of other origins may call',
      open: true,
      accepts: 'bytes',
      responses: { 204: 'Allowed' },
      handle: (call) => noContent(preflightHeaders(call) ?? { allow: 'GET, POST, OPTIONS' }),
    }),
  );
}
