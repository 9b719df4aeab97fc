import { type Route, routeOf } from '../../../kernel/http/index.ts';
import { getSubscription, listSubscriptions } from './subscriptions.ts';
import { listTopics } from './topics.ts';

/** Control routes of topics and event subscriptions of the whole jar, whatever Azure subscription or tenant they are in. */
export const placeControl: readonly Route[] = [
  routeOf(
    {
      method: 'GET',
      path: '/_jar/events/topics',
      operation: 'Jar_ListEventTopics',
      summary: 'The topics, domains, system topics, partner topics and partner namespaces of all subscriptions',
    },
    listTopics,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/events/subscriptions',
      operation: 'Jar_ListEventSubscriptions',
      summary: 'The event subscriptions of all scopes, with their filters and destinations',
    },
    listSubscriptions,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/events/subscriptions/{id}',
      operation: 'Jar_GetEventSubscription',
      summary: 'One event subscription by its id; a slash in the id is written as %2F',
    },
    getSubscription,
  ),
];
