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
      summary: 'Signs somebody up, or gives an account another display name',
    },
    putUser,
  ),
  routeOf(
    {
      method: 'POST',
      path: '/_jar/lifecycle/users/{name}/tokens',
      operation: 'Jar_CreateLifecycleToken',
      summary: 'Makes an API token for an account; its secret is shown this once',
    },
    createToken,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/lifecycle/invitations',
      operation: 'Jar_ListLifecycleInvitations',
      summary: 'The invitations that wait for an answer, which the real service sends by mail',
    },
    listInvitations,
  ),
];
