import { type Route, routeOf } from '../../../kernel/http/index.ts';
import { listInvitations } from './invitations.ts';
import { createToken, listUsers, putUser } from './users.ts';

/** Control routes for tasks that the real service leaves to its web pages and mail: sign-up, the first token, invitations. */
export const lifecycleControl: readonly Route[] = [
  routeOf(
    {
      method: 'GET',
      path: '/_jar/lifecycle/users',
      operation: 'Jar_ListLifecycleUsers',
      summary: 'The accounts of the app lifecycle service',
    },
    listUsers,
  ),
  routeOf(
    {
      method: 'PUT',
      path: '/_jar/lifecycle/users/{name}',
      operation: 'Jar_PutLifecycleUser',
      summary: 'Creates an account, or changes the display name of an existing one',
    },
    putUser,
  ),
  routeOf(
    {
      method: 'POST',
      path: '/_jar/lifecycle/users/{name}/tokens',
      operation: 'Jar_CreateLifecycleToken',
      summary: 'Creates an API token for an account; its secret is shown only in this response',
    },
    createToken,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/lifecycle/invitations',
      operation: 'Jar_ListLifecycleInvitations',
      secretBodies: true,
      summary: 'The pending invitations, which the real service sends by mail',
    },
    listInvitations,
  ),
];
