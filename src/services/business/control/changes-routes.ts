import { type Route, routeOf } from '../../../kernel/http/index.ts';
import { getChange, listChanges } from './changes.ts';
import { listWindows } from './changes-windows.ts';

/** Explains why a change was notified or not. */
export const changeControl: readonly Route[] = [
  routeOf(
    {
      method: 'GET',
      path: '/_jar/business/changes',
      operation: 'Jar_ListBusinessChanges',
      summary: 'Changed records, the newest first, with what each subscription was told of them and why',
    },
    listChanges,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/business/changes/{id}',
      operation: 'Jar_GetBusinessChange',
      summary: 'One change, with what each subscription was told of it and why',
    },
    getChange,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/business/windows',
      operation: 'Jar_ListBusinessWindows',
      summary: 'Notifications that gather changes, when they are sent, and changes that wait for somebody else',
    },
    listWindows,
  ),
];
