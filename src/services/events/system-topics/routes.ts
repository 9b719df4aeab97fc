import { resourceRoutes } from '../../../kernel/arm/index.ts';
import type { Route } from '../../../kernel/http/index.ts';
import { countedRoute } from '../subscriptions/counted.ts';
import { SYSTEM_TOPIC_DEFINITION } from './resource.ts';

export const systemTopicRoutes: readonly Route[] = resourceRoutes(SYSTEM_TOPIC_DEFINITION).map(countedRoute);
