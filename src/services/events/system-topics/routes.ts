import { armRouteOf, resourceRoutes } from '../../../kernel/arm/index.ts';
import type { Route } from '../../../kernel/http/index.ts';
import { countedRoute } from '../subscriptions/counted.ts';
import { EVENT_VERSIONS } from '../version-table.ts';
import { getExtensionTopic } from './extension-topic.ts';
import { EXTENSION_TOPIC } from './kind.ts';
import { SYSTEM_TOPIC_DEFINITION } from './resource.ts';

const extensionTopicRoute = armRouteOf(
  {
    method: 'GET',
    path: `/{scope}/providers/${EXTENSION_TOPIC.type}/default`,
    operation: 'ExtensionTopics_Get',
    summary: 'The system topic of a resource, a group or a subscription',
    action: `${EXTENSION_TOPIC.type}/read`,
    resourceType: EXTENSION_TOPIC.type,
    versions: EVENT_VERSIONS.of('extensionTopics'),
  },
  getExtensionTopic,
);

export const systemTopicRoutes: readonly Route[] = [
  ...resourceRoutes(SYSTEM_TOPIC_DEFINITION).map(countedRoute),
  extensionTopicRoute,
];
