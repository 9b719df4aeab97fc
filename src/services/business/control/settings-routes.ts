import { lazyRoute, type Route } from '../../../kernel/http/route.ts';

const settings = () => import('./settings.ts');

/** The server settings of subscriptions and notifications, at run time. */
export const settingsControl: readonly Route[] = [
  lazyRoute(
    {
      method: 'GET',
      path: '/_jar/business/settings',
      operation: 'Jar_GetBusinessSettings',
      summary: 'The settings of subscriptions and notifications that are in force, and where each comes from',
    },
    () => settings().then((code) => code.getSettings),
  ),
  lazyRoute(
    {
      method: 'PATCH',
      path: '/_jar/business/settings',
      operation: 'Jar_ChangeBusinessSettings',
      summary: 'Changes settings on all nodes, in force at once; null puts one back',
    },
    () => settings().then((code) => code.changeSettings),
  ),
];
