import { lazyRoute, type Route } from '../../../kernel/http/route.ts';

const code = () => import('./changes.ts');

/** Why a change was notified, or was not. */
export const changeControl: readonly Route[] = [
  lazyRoute(
    {
      method: 'GET',
      path: '/_jar/business/changes',
      operation: 'Jar_ListBusinessChanges',
      summary: 'Changed records, the newest first, with what each subscription was told of them and why',
    },
    async () => (await code()).listChanges,
  ),
  lazyRoute(
    {
      method: 'GET',
      path: '/_jar/business/changes/{id}',
      operation: 'Jar_GetBusinessChange',
      summary: 'One change, with what each subscription was told of it and why',
    },
    async () => (await code()).getChange,
  ),
  lazyRoute(
    {
      method: 'GET',
      path: '/_jar/business/windows',
      operation: 'Jar_ListBusinessWindows',
      summary: 'Notifications that gather changes, when they are sent, and changes that wait for somebody else',
    },
    async () => (await import('./changes-windows.ts')).listWindows,
  ),
];
