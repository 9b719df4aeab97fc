import { type Route, routeOf } from '../../../kernel/http/index.ts';
import { injectEvents } from './inject.ts';

/** Injects events of resources that the jar does not implement. */
export const injectControl: readonly Route[] = [
  routeOf(
    {
      method: 'POST',
      path: '/_jar/events/inject',
      operation: 'Jar_InjectEvents',
      summary:
        'Publishes events in the name of a resource that the jar does not implement, to the subscriptions at it and below its system topic',
    },
    injectEvents,
  ),
];
