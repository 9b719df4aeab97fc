import { type Route, routeOf } from '../../../kernel/http/index.ts';
import { explainEvent, getTrace, listTraces } from './traces.ts';

/** Explains which subscriptions an event was delivered to, and why others did not match. */
export const traceControl: readonly Route[] = [
  routeOf(
    {
      method: 'GET',
      path: '/_jar/events/traces',
      operation: 'Jar_ListEventTraces',
      summary: 'Published events, the newest first, with the subscriptions that matched',
    },
    listTraces,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/events/traces/{id}',
      operation: 'Jar_GetEventTrace',
      summary: 'One published event, with the reason for every subscription that did not match',
    },
    getTrace,
  ),
  routeOf(
    {
      method: 'POST',
      path: '/_jar/events/explain',
      operation: 'Jar_ExplainEvent',
      summary: 'Explains which subscriptions an event would match; nothing is published',
    },
    explainEvent,
  ),
];
