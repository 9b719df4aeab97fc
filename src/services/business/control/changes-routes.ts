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
      summary: 'Changed records, the newest first, with the outcome for each subscription and the reason',
    },
    listChanges,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/business/changes/{id}',
      operation: 'Jar_GetBusinessChange',
      summary: 'One change, with the outcome for each subscription and the reason',
    },
    getChange,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/business/windows',
      operation: 'Jar_ListBusinessWindows',
      summary: 'Open windows, which collect changes until they are sent, and changes that are held',
    },
    listWindows,
  ),
];
