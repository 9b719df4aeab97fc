import { type Route, routeOf } from '../../../kernel/http/index.ts';
import { listQueues, peek, purge, receive, remove } from './queues.ts';
import { getRelay } from './relay.ts';

/** Control routes of the jar's own queues, which replace brokers and storage, and of its relay. */
export const queueControl: readonly Route[] = [
  routeOf(
    {
      method: 'GET',
      path: '/_jar/events/queues',
      operation: 'Jar_ListEventQueues',
      summary: 'The queues that stand in for destinations of which nothing is configured, and how much is in them',
    },
    listQueues,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/events/queues/{queue}/messages',
      operation: 'Jar_PeekEventQueue',
      summary: 'What is in a queue, the oldest first; nothing is taken out',
    },
    peek,
  ),
  routeOf(
    {
      method: 'POST',
      path: '/_jar/events/queues/{queue}/receive',
      operation: 'Jar_ReceiveFromEventQueue',
      summary: 'Takes the oldest messages and hides them from others for a while, in which they can be deleted',
    },
    receive,
  ),
  routeOf(
    {
      method: 'DELETE',
      path: '/_jar/events/queues/{queue}/messages/{message}',
      operation: 'Jar_DeleteQueuedEvent',
      summary: 'Deletes a message, by the receipt of whoever has received it',
    },
    remove,
  ),
  routeOf(
    {
      method: 'DELETE',
      path: '/_jar/events/queues/{queue}/messages',
      operation: 'Jar_PurgeEventQueue',
      summary: 'Deletes everything that is in a queue',
    },
    purge,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/events/relay',
      operation: 'Jar_GetEventRelay',
      summary: 'What listeners of hybrid connections sign with, and which are connected',
    },
    getRelay,
  ),
];
