import { type Method, type Route, routeOf } from '../../kernel/http/index.ts';
import { mailbox } from './api/handle.ts';

const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
const VERSIONS = ['v1.0', 'beta'] as const;

/** `users({user})` is `users('{id}')`, as addresses in answers write it. */
const OWNERS = { me: 'me', users: 'users', user: 'users({user})' } as const;

/** Below `me` and below a user: what the rest of a path means is in the table of operations (`operations.ts`). */
export const mailRoutes: readonly Route[] = VERSIONS.flatMap((version) =>
  Object.entries(OWNERS).flatMap(([name, owner]) =>
    METHODS.map((method) =>
      routeOf(
        {
          method,
          path: `/${version}/${owner}/{path*}`,
          operation: `Mail_${method.toLowerCase()}_${name}_${version === 'beta' ? 'beta' : 'v1'}`,
          summary: 'Messages, folders, events and calendars of a mailbox',
          accepts: 'bytes',
        },
        mailbox,
      ),
    ),
  ),
);
