import { type CoveredOperation, type Method, type Route, routeOf } from '../../kernel/http/index.ts';
import { mailbox } from './api/handle.ts';
import { operations } from './operations.ts';
import { usersRoute } from './outlook/users-route.ts';

const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
const VERSIONS = ['v1.0', 'beta'] as const;

/** The table of operations (`operations.ts`) interprets the rest of a path. */
const OWNERS = [
  ['me', ''],
  ['me/{path*}', 'me_'],
  ['users/{path*}', 'users_'],
  ['users({user})', 'user_'],
  ['users({user})/{path*}', 'keyed_'],
] as const;

const shortName = (version: string): string => (version === 'beta' ? 'beta' : 'v1');

/** Routes of a mailbox: `me`, or that of a user. */
const mailboxRoutes: readonly Route[] = VERSIONS.flatMap((version) =>
  OWNERS.flatMap(([path, name]) =>
    METHODS.map((method) =>
      routeOf(
        {
          method,
          path: `/${version}/${path}`,
          operation: `Mail_${method.toLowerCase()}_${name}${shortName(version)}`,
          summary: 'Messages, folders, events and calendars of a mailbox',
          accepts: 'bytes',
          ...(path.endsWith('/{path*}') && { covers: () => coveredBy(method, version, path) }),
        },
        mailbox,
      ),
    ),
  ),
);

/** The operations that a route with `/{path*}` covers. */
function coveredBy(method: Method, version: string, path: string): readonly CoveredOperation[] {
  const prefix = `/${version}/${path.slice(0, -'/{path*}'.length)}${path.startsWith('users/') ? '/{user}' : ''}`;
  return operations
    .paths()
    .filter((row) => row.method === method && (version === 'beta' || !row.isBeta))
    .map((row) => ({
      method,
      path: `${prefix}/${row.path}`,
      operation: `Mail_${row.name}`,
      summary: row.summary,
      isAlias: row.isPlace || !path.startsWith('me/') || (version === 'beta' && !row.isBeta),
    }));
}

const userRoutes: readonly Route[] = VERSIONS.map((version) =>
  routeOf(
    {
      method: 'GET',
      path: `/${version}/users`,
      operation: `Mail_ListUsers_${shortName(version)}`,
      summary: 'The users of a tenant',
    },
    usersRoute,
  ),
);

export const mailRoutes: readonly Route[] = [...mailboxRoutes, ...userRoutes];
