import { type Route, routeOf } from '../../../kernel/http/index.ts';
import { publishToHost, publishToPath } from './publish.ts';

/** `properties.endpoint` of a topic or domain: region and name in the path. */
const toPath = routeOf(
  {
    method: 'POST',
    path: '/events/{region}/{name}/api/events',
    operation: 'Events_Publish',
    summary: 'Publishes events to a topic or a domain',
    accepts: 'bytes',
  },
  publishToPath,
);

/** The same with region and name in the host, as in the real service: `{name}.{region}.events.localhost`. */
const toHost = routeOf(
  {
    method: 'POST',
    path: '/api/events',
    operation: 'Events_PublishToHost',
    summary: 'Publishes events to the topic or domain that the host is named after',
    accepts: 'bytes',
  },
  publishToHost,
);

export const publishRoutes: readonly Route[] = [toPath, toHost];
