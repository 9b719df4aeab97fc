import { lazyRoute, type Route } from '../../../kernel/http/route.ts';

const users = () => import('./users.ts');
const invitations = () => import('./invitations.ts');

/** What the real service leaves to its web pages and its mail: signing up, the first token, invitations. */
export const lifecycleControl: readonly Route[] = [
  lazyRoute(
    {
      method: 'GET',
      path: '/_jar/lifecycle/users',
      operation: 'Jar_ListLifecycleUsers',
      summary: 'The accounts of the app lifecycle service',
    },
    async () => (await users()).listUsers,
  ),
  lazyRoute(
    {
      method: 'PUT',
      path: '/_jar/lifecycle/users/{name}',
      operation: 'Jar_PutLifecycleUser',
      summary: 'Signs somebody up, or gives an account another display name',
    },
    async () => (await users()).putUser,
  ),
  lazyRoute(
    {
      method: 'POST',
      path: '/_jar/lifecycle/users/{name}/tokens',
      operation: 'Jar_CreateLifecycleToken',
      summary: 'Makes an API token for an account; its secret is shown this once',
    },
    async () => (await users()).createToken,
  ),
  lazyRoute(
    {
      method: 'GET',
      path: '/_jar/lifecycle/invitations',
      operation: 'Jar_ListLifecycleInvitations',
      summary: 'The invitations that wait for an answer, which the real service sends by mail',
    },
    async () => (await invitations()).listInvitations,
  ),
];
