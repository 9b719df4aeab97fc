import type { Route } from '../../../kernel/http/route.ts';

export const topicRoutes: readonly Route[] = [];
