import { type Route, routeOf } from '../../../kernel/http/index.ts';
import { getOne, listLive, listRemoved, markOne } from './subscriptions.ts';

/** Webhook subscriptions of all tenants, including removed ones. */
export const subscriptionControl: readonly Route[] = [
  routeOf(
    {
      method: 'GET',
      path: '/_jar/business/subscriptions',
      operation: 'Jar_ListBusinessSubscriptions',
      summary: 'The live webhook subscriptions of all tenants, and how many were removed for which reason',
    },
    listLive,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/business/subscriptions/removed',
      operation: 'Jar_ListRemovedBusinessSubscriptions',
      summary: 'The removed webhook subscriptions, the latest first: when each was removed and why',
    },
    listRemoved,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/business/subscriptions/{id}',
      operation: 'Jar_GetBusinessSubscription',
      summary: 'One webhook subscription, live or removed',
    },
    getOne,
  ),
  routeOf(
    {
      method: 'PATCH',
      path: '/_jar/business/subscriptions/{id}',
      operation: 'Jar_MarkBusinessSubscription',
      summary: 'Marks a webhook subscription as a flow of the automation connector, or removes the mark',
    },
    markOne,
  ),
];
