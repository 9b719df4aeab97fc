import { type Route, routeOf } from '../../../kernel/http/index.ts';
import { listRegistrations } from './registrations.ts';
import { listShares } from './shares.ts';
import { listSubscriptions } from './subscriptions.ts';
import { getSynchronization, listSynchronizations } from './synchronizations.ts';

/** Both sides of all shares of the jar, for its administrator. */
export const dataShareControl: readonly Route[] = [
  routeOf(
    {
      method: 'GET',
      path: '/_jar/datashare/registrations',
      operation: 'Jar_ListEmailRegistrations',
      secretBodies: true,
      summary: 'Email addresses that callers have registered for data sharing, with their activation codes',
    },
    listRegistrations,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/datashare/shares',
      operation: 'Jar_ListShares',
      summary: 'The shares of all accounts, with their schedules and numbers of data sets, invitations and consumers',
    },
    listShares,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/datashare/subscriptions',
      operation: 'Jar_ListShareSubscriptions',
      summary: 'The share subscriptions of all accounts, with their triggers and last synchronizations',
    },
    listSubscriptions,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/datashare/synchronizations',
      operation: 'Jar_ListSynchronizations',
      summary: 'The synchronizations of all share subscriptions, the newest first, with what they have copied',
    },
    listSynchronizations,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/datashare/synchronizations/{synchronization}',
      operation: 'Jar_GetSynchronization',
      summary: 'One synchronization with its result for each data set, also while it copies',
    },
    getSynchronization,
  ),
];
