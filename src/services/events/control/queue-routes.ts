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
      summary: 'The queues that replace destinations without a configured connection, with their numbers of messages',
    },
    listQueues,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/events/queues/{queue}/messages',
      operation: 'Jar_PeekEventQueue',
      summary: 'The messages in a queue, the oldest first; none is removed',
    },
    peek,
  ),
  routeOf(
    {
      method: 'POST',
      path: '/_jar/events/queues/{queue}/receive',
      operation: 'Jar_ReceiveFromEventQueue',
      summary:
        'Receives the oldest messages and hides them from other receivers for a while, so that they can be deleted',
    },
    receive,
  ),
  routeOf(
    {
      method: 'DELETE',
      path: '/_jar/events/queues/{queue}/messages/{message}',
      operation: 'Jar_DeleteQueuedEvent',
      summary: 'Deletes a message, by the receipt of its latest receive',
    },
    remove,
  ),
  routeOf(
    {
      method: 'DELETE',
      path: '/_jar/events/queues/{queue}/messages',
      operation: 'Jar_PurgeEventQueue',
      summary: 'Deletes all messages in a queue',
    },
    purge,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/events/relay',
      operation: 'Jar_GetEventRelay',
      secretBodies: true,
      summary: 'The key that listeners of hybrid connections sign with, and the connected listeners',
    },
    getRelay,
  ),
];
